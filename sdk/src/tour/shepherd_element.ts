/**
 * What Shepherd shows a step in. The build puts this class in the place of Shepherd's own, which is made with Svelte:
 * that one reads HTML, listens to arrow keys, and weighs a third of the library. Ours holds the card that we made.
 */
import type { Step } from 'shepherd.js';
import { h } from '../ui/element';

interface Given {
  target: HTMLElement;
  props: { step: Step };
}

/** Shepherd's element of one step: a named dialog with an arrow, and in it the content that the step's `text` gives. */
export class ShepherdElement {
  private readonly element: HTMLElement;

  constructor({ target, props: { step } }: Given) {
    const { text, classes = '' } = step.options;
    const card = typeof text === 'function' ? text() : null;
    this.element = h(
      'div',
      { class: `shepherd-element ${classes}`.trim(), attributes: { role: 'dialog', tabindex: '-1' } },
      h('div', { class: 'shepherd-arrow' }),
      h('div', { class: 'shepherd-content' }, card instanceof HTMLElement ? card : null),
    );
    target.append(this.element);
  }

  /** Called by Shepherd. */
  getElement(): HTMLElement {
    return this.element;
  }
}
