import type { ButtonAction, Guide, Step } from '../api/wire';
import { speaker, type Say } from '../core/locale';
import { environmentOf } from '../dom/environment';
import type { Found } from '../dom/matches';
import { isThere } from '../dom/waiting';
import { boxOf } from '../ui/box';
import { advancingEvent, whenDone, windowsAround } from './advance';
import { stepCard, type Notice } from './card';
import { Deck } from './deck';
import { Finder, targetOf, type Sight } from './finder';
import { isOn, nextStepOn } from './itinerary';
import { noticeOf } from './notices';
import { sideFor } from './placement';
import type { EndedRun, Outcome, Resumption, RunOptions } from './running';
import { watchPlace } from './places';
import { isInWindow, scrollClear, scrollToTarget } from './scrolling';
import { sentences, type SentenceKey } from './sentences';
import { Stage } from './stage';
import { keepAcrossPages } from './tab';
import { isTypingIn } from './typing';

/** Parts that open do so with an animation. */
const OPENS_WITHIN_MS = 450;
/** How often a step is scrolled clear of bars: a page may scroll back. */
const MOST_CORRECTIONS = 2;

/**
 * One guide being walked through. The deck shows the cards; this class decides what they point at. A step is shown on
 * its own element, on what has to be opened to get there, or in the middle with an apology: never on another element.
 */
export class GuideRun {
  /** Resolves when the guide has ended and left the page as it was. */
  readonly ended: Promise<EndedRun>;

  private readonly env = environmentOf(window);
  private readonly say: Say<SentenceKey>;
  private readonly finder = new Finder(this.env);
  private readonly stage: Stage;
  private readonly deck: Deck;
  private readonly life = new AbortController();
  private resolveEnded: (run: EndedRun) => void = () => undefined;
  private index = 0;
  private sight: Sight | { kind: 'elsewhere' } = { kind: 'missing' };
  /** Lives as long as one look at one step. */
  private look = new AbortController();
  private takesFocus = true;
  /** The person has done all that is written of a guide that is still being written. */
  private isAhead = false;

  constructor(
    private readonly guide: Guide,
    private readonly options: RunOptions,
    private readonly resumed: Resumption | null,
  ) {
    this.ended = new Promise((resolve) => {
      this.resolveEnded = resolve;
    });
    this.say = speaker(sentences, options.locale, options.messages);
    this.stage = new Stage(this.env, { ...options, waiting: this.say('waiting') }, () => {
      console.warn('Circuy: the guide was taken away');
      this.finish('cancelled');
    });
    this.deck = new Deck(this.stage, {
      make: (index) =>
        stepCard({ guide, isWhole: this.isWhole(), index, notice: this.notice(), say: this.say, act: this.act }),
      onShown: (card) => {
        this.onShown(card);
      },
    });
    const { signal } = this.life;
    window.addEventListener('keydown', this.onKey, { capture: true, signal });
    keepAcrossPages(
      {
        guide,
        home: resumed?.home ?? location.pathname,
        at: () => this.index,
        goTo: (index) => {
          this.goTo(index, false);
        },
        end: () => {
          this.end('cancelled');
        },
      },
      signal,
    );
    watchPlace(() => {
      this.onPlace();
    }, signal);
  }

  /** Shows the first step, or the one to resume at. */
  start(): void {
    if (this.resumed === null) {
      this.options.report('started', {});
    }
    this.goTo(this.resumed?.index ?? 0, true);
  }

  /** More of the guide has been written, or all of it. */
  grew(): void {
    if (this.isAhead && this.index < this.guide.steps.length) {
      this.showStep(true);
    } else if (this.isWhole()) {
      if (this.isAhead) {
        this.finish('completed');
      } else if (this.deck.height > 0) {
        this.takesFocus = this.stage.hasFocus();
        this.lookAfresh();
        this.clearCard();
        this.showCard();
      }
    }
  }

  private isWhole(): boolean {
    return this.options.isWhole?.() ?? true;
  }

  private isLast(): boolean {
    return this.index === this.guide.steps.length - 1 && this.isWhole();
  }

  /** Ends the guide as its cross does. */
  cancel(): void {
    this.finish('cancelled');
  }

  private notice(): Notice | null {
    return noticeOf(this.sight, this.step.route ?? '', this.say);
  }

  private readonly act = (action: ButtonAction): void => {
    if (action === 'cancel') {
      this.finish('cancelled');
    } else if (action === 'complete' || (action === 'next' && this.isLast())) {
      this.finish('completed');
    } else if (action === 'next') {
      this.goTo(this.index + 1, true);
    } else if (this.index > 0) {
      this.goTo(this.index - 1, true);
    }
  };

  /** `takesFocus`: the keyboard follows; not when the page itself led here, where people go on with what they do. */
  private goTo(index: number, takesFocus: boolean): void {
    this.index = index;
    this.takesFocus = takesFocus;
    this.showStep(true);
  }

  /** Looks for the current step's element and shows its card. What fails here must not leave a guide that nobody sees. */
  private showStep(isNew: boolean): void {
    this.findAndShow(isNew).catch((error: unknown) => {
      console.error('Circuy: the guide had to end', error);
      this.finish('cancelled');
    });
  }

  private async findAndShow(isNew: boolean): Promise<void> {
    const look = this.lookAfresh();
    this.clearCard();
    this.isAhead = this.index === this.guide.steps.length;
    if (this.isAhead) {
      this.stage.showWaiting();
      return;
    }
    const { step } = this;
    if (this.isElsewhere(step)) {
      this.sight = { kind: 'elsewhere' };
    } else {
      this.stage.standOver(null);
      this.stage.showWaiting();
      this.sight = await this.finder.look(targetOf(step), look.signal);
      if (look.signal.aborted) {
        return;
      }
      this.stage.hideWaiting();
    }
    this.report(isNew);
    this.showCard();
  }

  private lookAfresh(): AbortController {
    this.look.abort();
    this.look = new AbortController();
    return this.look;
  }

  private clearCard(): void {
    this.stage.spotlight.leave();
    this.deck.clear();
  }

  /** What was outside the window must come in before it is pointed at; anything else is scrolled to. */
  private isShowable({ element }: Found): boolean {
    const box = boxOf(this.env, element);
    return this.sight.kind !== 'outside' || (box !== null && isInWindow(box));
  }

  private isElsewhere({ route = '' }: Step): boolean {
    return route !== '' && !isOn(route, location);
  }

  private report(isNew: boolean): void {
    const { report } = this.options;
    const step = this.index;
    const { sight } = this;
    if (sight.kind === 'target') {
      this.reportFound(sight.found, step);
    } else if (sight.kind !== 'closed' && sight.kind !== 'elsewhere') {
      report('target_missing', { step, detail: this.step.attachTo.element });
    }
    if (isNew) {
      report('step_shown', { step });
    }
  }

  private reportFound({ by }: Found, step: number): void {
    if (by === 'fallback') {
      this.options.report('fallback_used', { step, detail: this.step.fallback_selector });
    } else if (by === 'healed') {
      this.options.report('healed', { step, detail: this.step.attachTo.element });
    }
  }

  /** What the card stands by; null when it stands by itself. */
  private get pointedAt(): HTMLElement | null {
    const { sight } = this;
    return sight.kind === 'target' ? sight.found.element : sight.kind === 'closed' ? sight.wayIn.opener : null;
  }

  private showCard(): void {
    const { pointedAt } = this;
    if (pointedAt !== null) {
      this.follow(pointedAt);
    }
    const box = pointedAt === null ? null : boxOf(this.env, pointedAt);
    // Before the card takes the focus: a dialog that keeps it would take it back from outside.
    this.stage.standOver(pointedAt);
    this.deck.show(this.index, sideFor(this.step.attachTo.on, box));
    if (pointedAt !== null) {
      scrollToTarget(this.env, pointedAt, this.deck.height);
    }
  }

  private onShown(card: HTMLElement): void {
    const { pointedAt } = this;
    card.classList.toggle('apart', pointedAt === null);
    this.focusOnce(card);
    this.waitForUser(pointedAt);
  }

  /** Shepherd takes the focus back at every repositioning, while people type; once a step is enough. */
  private focusOnce(card: HTMLElement): void {
    const focus = card.focus.bind(card);
    card.focus = () => undefined;
    if (this.takesFocus && !isTypingIn(document) && !this.stage.mustNotTakeFocus()) {
      focus({ preventScroll: true });
    } else {
      const { title } = this.step;
      this.stage.announce(
        `${this.say('stepOf', { count: this.index + 1, total: this.isWhole() ? this.guide.steps.length : '…' })} ${title}`.trim(),
      );
    }
  }

  private waitForUser(pointedAt: HTMLElement | null): void {
    const { step, sight } = this;
    const { signal } = this.look;
    if (sight.kind !== 'target') {
      const stop = this.finder.watch(
        targetOf(step),
        (found) => !this.isElsewhere(step) && this.isShowable(found),
        (found) => {
          this.onFoundLate(found);
        },
      );
      signal.addEventListener('abort', stop);
    }
    if (pointedAt === null) {
      return;
    }
    for (const view of windowsAround(this.env, pointedAt)) {
      if (view !== window) {
        view.addEventListener('keydown', this.onKey, { capture: true, signal });
      }
    }
    if (sight.kind === 'closed') {
      whenDone(this.env, pointedAt, 'click', () => setTimeout(this.onOpened, OPENS_WITHIN_MS, signal), signal);
    }
    const event = sight.kind === 'target' ? advancingEvent(this.env, step, pointedAt) : null;
    if (event !== null) {
      whenDone(this.env, pointedAt, event, this.onDone, signal);
    }
  }

  /** What had to be opened has been pressed: if the target is not seen yet, something else in there may have to be opened. */
  private readonly onOpened = (signal: AbortSignal): void => {
    const wayIn = signal.aborted ? null : this.finder.wayInTo(targetOf(this.step));
    if (wayIn !== null && wayIn.opener !== this.pointedAt) {
      this.takesFocus = this.stage.hasFocus();
      this.lookAfresh();
      this.clearCard();
      this.sight = { kind: 'closed', wayIn };
      this.showCard();
    }
  };

  /** The user has done on the page what the step asks for. Their own click comes first: we go on when it has worked. */
  private readonly onDone = (): void => {
    const { index } = this;
    if (this.isLast()) {
      this.finish('completed');
      return;
    }
    this.lookAfresh();
    this.index += 1;
    this.takesFocus = false;
    setTimeout(() => {
      if (!this.life.signal.aborted && this.index === index + 1) {
        this.showStep(true);
      }
    });
  };

  private follow(element: HTMLElement): void {
    let corrections = 0;
    this.stage.spotlight.follow(element, {
      isThere: () => isThere(this.env, element),
      onMoved: () => {
        this.stage.refreshPlace();
      },
      onRest: (box) => {
        this.stage.dockAwayFrom(box);
        corrections += 1;
        const isOutside = !isInWindow(box);
        // Once more at first: after a reload the browser scrolls back to where the page was.
        const isTriedAgain = isOutside && corrections === 1;
        if (isTriedAgain) {
          scrollToTarget(this.env, element, this.deck.height);
        } else if (isOutside) {
          this.onOutside(corrections === MOST_CORRECTIONS);
        } else if (corrections <= MOST_CORRECTIONS) {
          scrollClear(this.env, element, box);
        }
        return isTriedAgain;
      },
      onLost: () => {
        this.onLost();
      },
    });
  }

  /** The scrolling has come to its end, and the element is not in the window: never, or the page was scrolled since. */
  private onOutside(isMissing: boolean): void {
    const { sight } = this;
    if (sight.kind === 'target') {
      this.takesFocus = this.stage.hasFocus();
      this.lookAfresh();
      this.clearCard();
      this.sight = { kind: 'outside', found: sight.found };
      if (isMissing) {
        this.options.report('target_missing', { step: this.index, detail: this.step.attachTo.element });
      }
      this.showCard();
    }
  }

  private onFoundLate(found: Found): void {
    this.takesFocus = this.stage.hasFocus();
    this.lookAfresh();
    this.clearCard();
    this.sight = { kind: 'target', found };
    this.reportFound(found, this.index);
    this.showCard();
  }

  /** The element went away while its step was shown: a page that draws itself again, or one that moved on. */
  private onLost(): void {
    this.takesFocus = this.stage.hasFocus();
    this.showStep(false);
  }

  /** The page has become another one: the next step may be on it. */
  private onPlace(): void {
    const next = nextStepOn(this.guide, this.index + 1, location);
    const { route = '' } = this.guide.steps[this.index] ?? {};
    if (route !== '' && isOn(route, location)) {
      return;
    }
    this.takesFocus = this.stage.hasFocus();
    if (next !== -1) {
      this.goTo(next, this.takesFocus);
    } else if (route !== '') {
      this.showStep(false);
    }
  }

  /** One Escape closes one thing: the guide, and not also the dialog of the page that it stands over. */
  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.isComposing) {
      event.preventDefault();
      event.stopImmediatePropagation();
      this.finish('cancelled');
    }
  };

  private finish(outcome: Outcome): void {
    if (!this.life.signal.aborted) {
      this.options.report(outcome, { step: this.index });
      this.end(outcome);
    }
  }

  private end(outcome: Outcome): void {
    const hadFocus = this.stage.hasFocus();
    this.life.abort();
    this.look.abort();
    this.deck.close(outcome === 'completed');
    this.stage.remove();
    this.resolveEnded({ outcome, hadFocus });
  }

  private get step(): Step {
    const step = this.guide.steps[this.index];
    if (step === undefined) {
      throw new RangeError(`no step ${this.index} in this guide`);
    }
    return step;
  }
}
