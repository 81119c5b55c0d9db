/** A demonstration in this tab: what is watched, numbered and handed over; paused, resumed, taken back. */
import type { ShadowClient } from '../api/shadow_client';
import { Cleaning } from '../dom/cleaning';
import type { Environment } from '../dom/environment';
import type { Rule } from '../core/masking';
import { addressOf } from './addresses';
import { Outbox, type OutboxNews } from './outbox';
import { arrival, EFFECT_WITHIN_MS, historyIndex, watchRoutes, type Move } from './routes';
import type { Departure, Tab } from './tab';
import type { Act, Blindness, ObservedEvent, ObservedTarget } from './wire';
import { Witness, type Nature } from './witness';

const TITLE_LIMIT = 200;
const MOST_BLIND = 50;

export interface DemonstrationNews extends OutboxNews {
  /** Something was done, undone, paused or gone on with. */
  changed: () => void;
  blind: (reason: Blindness) => void;
}

export class Demonstration {
  private readonly cleaning: Cleaning;
  private readonly outbox: Outbox;
  private readonly life = new AbortController();
  private witness: Witness | null = null;
  private watching: AbortController | null = null;
  private lead: { by: Departure['by']; at: number } = { by: 'nothing', at: 0 };

  constructor(
    private readonly env: Environment,
    private readonly tab: Tab,
    client: ShadowClient,
    masks: readonly Rule[],
    private readonly news: DemonstrationNews,
  ) {
    this.cleaning = new Cleaning(masks);
    this.outbox = new Outbox(tab, client, news);
    const { signal } = this.life;
    const leave = () => {
      this.leave();
    };
    window.addEventListener('pagehide', leave, { signal });
    document.addEventListener(
      'visibilitychange',
      () => {
        if (document.visibilityState === 'hidden') {
          leave();
        }
      },
      { signal },
    );
    window.addEventListener(
      'pageshow',
      ({ persisted }) => {
        if (persisted) {
          this.tab.reload();
          this.arrive(true);
          this.reflect();
        }
      },
      { signal },
    );
    this.arrive(false);
    this.reflect();
  }

  get actions(): number {
    return this.tab.state.groups.length;
  }

  /** Says that this tab is there, and nothing of what is in it: until it is observed, that is all that is told. */
  announce(): void {
    const target: ObservedTarget = { tag: 'body', interactive: false, matches: 1 };
    this.outbox.add(this.event({ kind: 'focus', target }));
  }

  start(): void {
    if (this.tab.state.status === 'idle') {
      this.tab.begin();
      this.reflect();
    }
  }

  pause(): void {
    if (this.tab.state.status === 'recording') {
      this.witness?.settle();
      this.outbox.add(this.event({ kind: 'pause' }));
      this.tab.change({ elapsed: this.tab.recorded(), status: 'paused' });
      this.reflect();
    }
  }

  resume(): void {
    if (this.tab.state.status === 'paused') {
      this.tab.change({ status: 'recording', since: Date.now() });
      this.outbox.add(this.event({ kind: 'resume' }));
      this.reflect();
    }
  }

  /** Takes back what was done last, with what followed from it. */
  undo(): void {
    this.witness?.settle();
    const groups = [...this.tab.state.groups];
    const undone = groups.pop();
    if (undone !== undefined) {
      this.tab.change({ groups });
      this.outbox.add(this.event({ kind: 'undo', undone }));
      this.reflect();
    }
  }

  stop(): void {
    if (this.tab.state.status !== 'idle') {
      this.witness?.settle();
      this.tab.change({ elapsed: this.tab.recorded(), status: 'idle' });
      this.reflect();
    }
  }

  /** Done when all that was done has arrived, or cannot for now. */
  async handOver(): Promise<void> {
    this.witness?.settle();
    await this.outbox.flush();
  }

  close(): void {
    this.leave();
    this.life.abort();
    this.unwatch();
    this.outbox.close();
  }

  /** Watches the page while it is recorded, and only then. */
  private reflect(): void {
    if (this.tab.state.status === 'recording') {
      this.watch();
    } else {
      this.unwatch();
    }
    this.news.changed();
  }

  private watch(): void {
    if (this.witness !== null) {
      return;
    }
    const witness = new Witness(this.env, this.cleaning, {
      act: (act, nature) => this.note(act, nature),
      amend: (sequence, change) => {
        this.outbox.amend(sequence, change);
      },
      blind: (reason, target, frame) => {
        this.noteBlind(reason, target, frame);
      },
      left: (by) => {
        this.lead = { by, at: Date.now() };
      },
    });
    if (witness.open()) {
      this.witness = witness;
      this.watching = new AbortController();
      watchRoutes((move) => {
        this.noteMove(move);
      }, this.watching.signal);
    }
  }

  private unwatch(): void {
    this.witness?.close();
    this.witness = null;
    this.watching?.abort();
    this.watching = null;
  }

  private note(act: Act, nature: Nature): number {
    const event = this.event(act);
    this.outbox.add(event);
    if (nature !== 'noise') {
      const isLate = Date.now() - this.tab.state.acted > EFFECT_WITHIN_MS;
      this.tab.group(event.sequence, nature === 'effect' && !isLate);
      this.news.changed();
    }
    return event.sequence;
  }

  private noteMove({ cause, from }: Move): void {
    const before = addressOf(from, this.cleaning);
    const isSamePlace = before === this.address() || (cause === 'replace' && bare(before) === bare(this.address()));
    if (!isSamePlace) {
      this.note({ kind: 'navigate', cause, from_url: before }, this.natureOf(cause));
    }
  }

  /** Notes how this page came to be there, when the one before was recorded. */
  private arrive(isRestored: boolean): void {
    const { departure, status } = this.tab.state;
    if (departure === null) {
      return;
    }
    this.tab.change({ departure: null });
    if (status === 'recording') {
      const cause = arrival(departure, isRestored);
      const before = addressOf(departure.url, this.cleaning);
      this.note({ kind: 'navigate', cause, from_url: before }, this.natureOf(cause));
    }
  }

  /** Whether somebody went there, or was led there by what they did. */
  private natureOf(cause: Act['cause']): Nature {
    return ['typed', 'reload', 'back', 'forward'].includes(cause ?? '') ? 'action' : 'effect';
  }

  private noteBlind(reason: Blindness, target: ObservedTarget | null, frame: string): void {
    const place = `${reason} ${this.address()} ${target?.selector ?? ''}`;
    if (!this.tab.state.blind.includes(place)) {
      this.tab.change({ blind: [...this.tab.state.blind, place].slice(-MOST_BLIND) });
      const shown = target ?? { tag: 'body', interactive: false, matches: 1 };
      this.note({ kind: 'unseen', reason, target: shown, ...(frame === '' ? {} : { frame }) }, 'noise');
      this.news.blind(reason);
    }
  }

  private leave(): void {
    this.witness?.settle();
    const { by, at } = this.lead;
    this.tab.change({
      departure: {
        url: location.href,
        by: Date.now() - at < EFFECT_WITHIN_MS ? by : 'nothing',
        index: historyIndex(),
      },
    });
    this.outbox.leave();
  }

  private event(act: Omit<ObservedEvent, 'sequence' | 'at' | 'url' | 'title' | 'trusted'>): ObservedEvent {
    return {
      ...act,
      sequence: this.tab.nextSequence(),
      at: Date.now() / 1_000,
      url: this.address(),
      title: this.cleaning.clean(document.title, TITLE_LIMIT),
      trusted: true,
    };
  }

  private address(): string {
    return addressOf(location.href, this.cleaning);
  }
}

function bare(address: string): string {
  return address.replace(/\?[^#]*/, '');
}
