import Shepherd, { type StepOptions, type Tour } from 'shepherd.js';
import type { ButtonAction, Guide, Locale, Placement, Step, TourEventType } from '../api/wire';
import type { Say } from '../core/locale';
import type { MessageKey } from '../core/messages';
import { matchesPattern } from '../core/routes';
import { environmentOf } from '../dom/environment';
import { isThere, lookFor, watchFor, type Found, type Target } from '../dom/targets';
import { prefersReducedMotion } from '../ui/host';
import { stepCard, TEXT_ID, TITLE_ID } from './card';
import { Stage } from './stage';

export type Outcome = 'completed' | 'cancelled';

export interface RunOptions {
  locale: Locale;
  say: Say<MessageKey>;
  /** Hears what happens; `step` counts from 0. */
  report: (type: TourEventType, more: { step?: number; detail?: string }) => void;
}

export interface EndedRun {
  outcome: Outcome;
  /** Whether the keyboard was in the guide when it ended, so that someone must take the focus. */
  hadFocus: boolean;
}

/** Pixels left above a target near the top, for headers that stay there. */
const ROOM_FOR_HEADER = 84;

const PLACEMENTS: readonly string[] = ['top', 'bottom', 'left', 'right'] satisfies Placement[];

/**
 * One guide being walked through. Shepherd places the cards; this class decides what they point at. A step is shown on
 * its own element or, when that is not there, in the middle with an apology: never on another element.
 */
export class GuideRun {
  /** Resolves when the guide has ended and left the page as it was. */
  readonly ended: Promise<EndedRun>;

  private readonly env = environmentOf(window);
  private readonly stage: Stage;
  private readonly tour: Tour;
  private resolveEnded: (run: EndedRun) => void = () => undefined;
  private index = 0;
  private found: Found | null = null;
  private apology: string | null = null;
  private keepsFocus = false;
  private search = new AbortController();
  private stopWatching: () => void = () => undefined;
  private isOver = false;

  constructor(
    private readonly guide: Guide,
    private readonly options: RunOptions,
  ) {
    this.ended = new Promise((resolve) => {
      this.resolveEnded = resolve;
    });
    this.stage = new Stage(options.locale, options.say('waiting'));
    this.tour = this.makeTour();
    window.addEventListener('keydown', this.onKey, true);
  }

  /** Shows the first step. */
  async start(): Promise<void> {
    this.options.report('started', {});
    await this.goTo(0);
  }

  /** Ends the guide as its cross does. */
  cancel(): void {
    this.finish('cancelled');
  }

  private makeTour(): Tour {
    const tour = new Shepherd.Tour({
      classPrefix: 'circuy',
      exitOnEsc: false,
      keyboardNavigation: false,
      useModalOverlay: false,
      stepsContainer: this.stage.cards,
      modalContainer: this.stage.cards,
      defaultStepOptions: { classes: 'circuy-shepherd-theme', scrollTo: true },
    });
    // The overlay would hold back touch scrolling, and ending the tour would take away another Shepherd's overlay.
    tour.setupModal = () => undefined;
    tour.addSteps(this.guide.steps.map((step, index) => this.stepOptions(step, index)));
    return tour;
  }

  private stepOptions(step: Step, index: number): StepOptions {
    const on = PLACEMENTS.includes(step.attachTo.on) ? step.attachTo.on : 'bottom';
    return {
      id: stepId(index),
      attachTo: { element: () => this.found?.element, on },
      text: () => stepCard({ ...this.options, guide: this.guide, index, apology: this.apology, act: this.act }),
      scrollToHandler: () => {
        if (this.found !== null) {
          scrollToTarget(this.found.element, this.tour.currentStep?.getElement()?.offsetHeight ?? 0);
        }
      },
      when: {
        show: () => {
          this.onShown();
        },
      },
    };
  }

  private readonly act = (action: ButtonAction): void => {
    const isLast = this.index === this.guide.steps.length - 1;
    if (action === 'cancel') {
      this.finish('cancelled');
    } else if (action === 'complete' || (action === 'next' && isLast)) {
      this.finish('completed');
    } else if (action === 'next') {
      void this.goTo(this.index + 1);
    } else if (this.index > 0) {
      void this.goTo(this.index - 1);
    }
  };

  private async goTo(index: number): Promise<void> {
    this.index = index;
    this.keepsFocus = false;
    if (await this.resolve()) {
      this.reportStep();
      this.showCard();
    }
  }

  /** Looks for the current step's element. False when the guide ended or moved on meanwhile. */
  private async resolve(): Promise<boolean> {
    this.stopWatching();
    this.search.abort();
    const search = new AbortController();
    this.search = search;
    this.stage.spotlight.leave();
    // Shepherd keeps hidden cards on the page; two cards would hold the same ids.
    this.tour.currentStep?.hide();
    this.tour.currentStep?.destroy();
    const step = this.step;
    this.apology = this.elsewhere(step);
    if (this.apology === null) {
      this.stage.standOver(null);
      this.stage.showWaiting();
      this.found = await lookFor(this.env, targetOf(step), search.signal);
      if (search.signal.aborted) {
        return false;
      }
      this.stage.hideWaiting();
      this.apology = this.found === null ? this.options.say('missing') : null;
    } else {
      this.found = null;
    }
    return true;
  }

  private elsewhere(step: Step): string | null {
    const route = step.route ?? '';
    return route === '' || matchesPattern(route, location.pathname) ? null : this.options.say('otherPage', { route });
  }

  private reportStep(): void {
    const { report } = this.options;
    const step = this.index;
    if (this.found === null) {
      report('target_missing', { step, detail: this.step.attachTo.element });
    } else if (this.found.by === 'fallback') {
      report('fallback_used', { step, detail: this.step.fallback_selector });
    }
    report('step_shown', { step });
  }

  private showCard(): void {
    this.stage.standOver(this.found?.element ?? null);
    if (this.tour.isActive()) {
      this.tour.show(stepId(this.index));
    } else {
      void this.tour.start();
      // Shepherd would give the focus back with a scroll; whoever started the guide does it better.
      this.tour.focusedElBeforeOpen = null;
    }
  }

  private onShown(): void {
    const card = this.tour.currentStep?.getElement();
    if (card === null || card === undefined) {
      return;
    }
    card.setAttribute('aria-labelledby', TITLE_ID);
    card.setAttribute('aria-describedby', TEXT_ID);
    card.setAttribute('data-circuy', 'step-dialog');
    card.tabIndex = -1;
    this.focusOnce(card);
    const { found } = this;
    if (found === null) {
      const { step } = this;
      this.stopWatching = watchFor(
        this.env,
        targetOf(step),
        () => this.elsewhere(step) === null,
        (late) => {
          this.onFoundLate(late);
        },
      );
      return;
    }
    this.stage.spotlight.follow(
      found.element,
      () => isThere(this.env, found.element),
      () => {
        void this.onLost();
      },
    );
  }

  /** Shepherd takes the focus back at every repositioning, while people type; once a step is enough. */
  private focusOnce(card: HTMLElement): void {
    const focus = card.focus.bind(card);
    card.focus = () => undefined;
    if (!this.keepsFocus) {
      focus({ preventScroll: true });
    }
  }

  private onFoundLate(found: Found): void {
    this.found = found;
    this.apology = null;
    this.keepsFocus = !this.stage.hasFocus();
    this.showCard();
  }

  /** The element went away while its step was shown: a page that draws itself again, or one that moved on. */
  private async onLost(): Promise<void> {
    this.keepsFocus = !this.stage.hasFocus();
    if (await this.resolve()) {
      if (this.found === null) {
        this.options.report('target_missing', { step: this.index, detail: this.step.attachTo.element });
      }
      this.showCard();
    }
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.isComposing) {
      this.finish('cancelled');
    }
  };

  private finish(outcome: Outcome): void {
    if (this.isOver) {
      return;
    }
    this.isOver = true;
    const hadFocus = this.stage.hasFocus();
    window.removeEventListener('keydown', this.onKey, true);
    this.search.abort();
    this.stopWatching();
    if (outcome === 'completed') {
      this.tour.complete();
    } else {
      void this.tour.cancel();
    }
    for (const step of this.tour.steps) {
      dropEmptyClass(step.target ?? document.body);
    }
    this.stage.remove();
    this.options.report(outcome, { step: this.index });
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

/** Brings the target to the middle or, where the window is too low for a card above and below, near the top. */
function scrollToTarget(target: HTMLElement, cardHeight: number): void {
  const behavior = prefersReducedMotion() ? 'instant' : 'smooth';
  if (window.innerHeight >= target.offsetHeight + 2 * cardHeight) {
    target.scrollIntoView({ behavior, block: 'center', inline: 'nearest' });
    return;
  }
  target.scrollIntoView({ behavior: 'instant', block: 'nearest', inline: 'nearest' });
  window.scrollBy({ behavior, top: target.getBoundingClientRect().top - ROOM_FOR_HEADER });
}

function stepId(index: number): string {
  return `circuy-step-${index}`;
}

function targetOf(step: Step): Target {
  return { selector: step.attachTo.element, fallback: step.fallback_selector };
}

/** Shepherd adds and removes classes on the target; an attribute that was not there must not stay behind. */
function dropEmptyClass(element: Element): void {
  if (element.getAttribute('class') === '') {
    element.removeAttribute('class');
  }
}
