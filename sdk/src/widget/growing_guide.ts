import type { StreamedStep } from '../api/answer_stream';
import type { Answer, Guide } from '../api/wire';

/** A guide that can be played while a model is still writing its steps. */
export class GrowingGuide {
  readonly guide: Guide = { tour_id: null, status: 'ephemeral', source: 'llm', title: '', steps: [] };
  isWhole = false;

  /** Takes a step that follows on those before; another is one that is there already. Gives whether it was taken. */
  add({ index, ...step }: StreamedStep): boolean {
    const isNext = index === this.guide.steps.length && !this.isWhole;
    if (isNext) {
      this.guide.steps.push(step);
    }
    return isNext;
  }

  /** Becomes the whole answer, if that begins with the steps which have been shown; gives whether it does. */
  becomes(answer: Answer): boolean {
    const { steps } = this.guide;
    const isSame =
      steps.length > 0 &&
      steps.every(({ attachTo, title, text }, index) => {
        const final = answer.steps[index];
        return final?.attachTo.element === attachTo.element && final.title === title && final.text === text;
      });
    if (isSame) {
      Object.assign(this.guide, answer);
    }
    this.isWhole = true;
    return isSame;
  }
}
