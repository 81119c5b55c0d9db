import Shepherd, { type Step, type Tour } from 'shepherd.js';
import type { Placement } from '../api/wire';
import { TEXT_ID, TITLE_ID } from './card';
import type { Stage } from './stage';

// It would write on the page's body for each step that has not been shown yet; on our ring there is nothing to undo.
Shepherd.Step.prototype._updateStepTargetOnHide = () => undefined;

interface Maker {
  /** Makes the content of a step's card. */
  make: (index: number) => HTMLElement;
  /** The card is on the page. */
  onShown: (card: HTMLElement) => void;
}

/** The cards of a guide, made when first shown, one at a time, by Shepherd: it keeps them beside the ring. */
export class Deck {
  private readonly tour: Tour;

  constructor(
    private readonly stage: Stage,
    private readonly maker: Maker,
  ) {
    this.tour = new Shepherd.Tour({
      classPrefix: 'circuy',
      exitOnEsc: false,
      keyboardNavigation: false,
      useModalOverlay: false,
      stepsContainer: stage.cards,
      defaultStepOptions: { classes: 'circuy-shepherd-theme' },
    });
    // The overlay would hold back touch scrolling, and ending the tour would take away another Shepherd's overlay.
    this.tour.setupModal = () => undefined;
  }

  /** Shows the card of a step on this side of the ring. */
  show(index: number, on: Placement): void {
    const step = this.tour.getById(stepId(index)) ?? this.add(index);
    // Never beside the target itself: Shepherd writes on what it attaches to, and knows nothing of frames.
    step.options.attachTo = { element: this.stage.spotlight.element, on };
    this.tour.show(stepId(index));
  }

  /** Takes the card away. Shepherd would keep it, hidden; two cards would hold the same ids. */
  clear(): void {
    this.tour.currentStep?.hide();
    this.tour.currentStep?.destroy();
  }

  close(isCompleted: boolean): void {
    if (isCompleted) {
      this.tour.complete();
    } else {
      void this.tour.cancel();
    }
  }

  get height(): number {
    return this.card?.offsetHeight ?? 0;
  }

  private add(index: number): Step {
    const { make, onShown } = this.maker;
    const step = new Shepherd.Step(this.tour, {
      id: stepId(index),
      text: () => make(index),
      when: {
        show: () => {
          const { card } = this;
          if (card !== null) {
            card.setAttribute('aria-labelledby', TITLE_ID);
            card.setAttribute('aria-describedby', TEXT_ID);
            card.setAttribute('data-circuy', 'step-dialog');
            onShown(card);
          }
        },
      },
    });
    this.tour.addStep(step);
    return step;
  }

  private get card(): HTMLElement | null {
    return this.tour.currentStep?.getElement() ?? null;
  }
}

function stepId(index: number): string {
  return `circuy-step-${index}`;
}
