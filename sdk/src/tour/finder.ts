import type { Step } from '../api/wire';
import type { Environment } from '../dom/environment';
import { firstLook } from '../dom/first_look';
import { matchesOf, type Found, type Target } from '../dom/matches';
import { awaitTarget, FALLBACK_AFTER_MS, watchForTarget } from '../dom/waiting';
import type { WayIn } from '../dom/way_in';

declare const JUDGE_CHUNK: string;

type Judge = typeof import('../entry/judge');

/** How long a slow network may keep us from knowing an element for sure. */
const JUDGE_WITHIN_MS = 6_000;

/** What came of looking for a target. */
export type Sight =
  | { kind: 'target'; found: Found }
  /** The target is in a closed part of the page. */
  | { kind: 'closed'; wayIn: WayIn }
  /** The target is drawn beyond the edges of the window, where no scrolling leads, as a drawer that is pushed away is. */
  | { kind: 'outside'; found: Found }
  /** Several elements could be meant. */
  | { kind: 'ambiguous' }
  | { kind: 'missing' };

/** Looks for the targets of a guide; what it takes to judge doubtful ones is loaded when the first of them comes. */
export class Finder {
  private judge: Judge | null = null;
  private loading: Promise<void> | null = null;

  constructor(private readonly env: Environment) {}

  /** Waits for `target` for a while. "missing" also when `signal` is aborted. */
  async look(target: Target, signal: AbortSignal): Promise<Sight> {
    const atOnce = firstLook(this.env, target, false);
    if (atOnce !== null && atOnce !== 'unsure') {
      return { kind: 'target', found: atOnce };
    }
    await this.haveJudge();
    const search = new AbortController();
    const stop = () => {
      search.abort();
    };
    signal.addEventListener('abort', stop);
    let wayIn: WayIn | null = null;
    // What is there but closed will not show up by itself.
    const look = setTimeout(() => {
      wayIn = this.wayInTo(target);
      if (wayIn !== null) {
        stop();
      }
    }, FALLBACK_AFTER_MS + 50);
    if (signal.aborted) {
      stop();
    }
    const found = await awaitTarget((evenOther) => this.resolve(target, evenOther), search.signal);
    clearTimeout(look);
    signal.removeEventListener('abort', stop);
    if (found !== null) {
      return { kind: 'target', found };
    }
    wayIn ??= signal.aborted ? null : this.wayInTo(target);
    return wayIn === null ? { kind: this.isAmbiguous(target) ? 'ambiguous' : 'missing' } : { kind: 'closed', wayIn };
  }

  /** Calls `onFound` when the target shows up after all and `isWanted`. The returned function stops watching. */
  watch(target: Target, isWanted: (found: Found) => boolean, onFound: (found: Found) => void): () => void {
    return watchForTarget(() => {
      const found = this.resolve(target, true);
      return found !== null && isWanted(found) ? found : null;
    }, onFound);
  }

  /** What has to be opened for the target to be seen, as far as is known by now. */
  wayInTo(target: Target): WayIn | null {
    return this.judge?.wayInTo(this.env, target) ?? null;
  }

  private resolve(target: Target, evenOther: boolean): Found | null {
    const seen = firstLook(this.env, target, evenOther);
    return seen === 'unsure' ? (this.judge?.resolveTarget(this.env, target, evenOther) ?? null) : seen;
  }

  private isAmbiguous(target: Target): boolean {
    return [target.selector, target.fallback].some((selector) => matchesOf(this.env, selector).length > 1);
  }

  /** Without a judge, what is doubtful is not found: the network must not make us point at something else. */
  private async haveJudge(): Promise<void> {
    if (this.judge !== null) {
      return;
    }
    this.loading ??= (import(new URL(JUDGE_CHUNK, import.meta.url).href) as Promise<Judge>)
      .then((judge) => {
        this.judge = judge;
      })
      .catch(() => {
        this.loading = null;
      });
    await Promise.race([this.loading, new Promise((resolve) => setTimeout(resolve, JUDGE_WITHIN_MS))]);
  }
}

/** What a step says of its element. */
export function targetOf(step: Step): Target {
  return {
    selector: step.attachTo.element,
    fallback: step.fallback_selector,
    ...(step.fingerprint === undefined ? {} : { fingerprint: step.fingerprint }),
  };
}
