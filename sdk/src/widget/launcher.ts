import { h } from '../ui/element';
import { icon } from '../ui/icons';
import type { Speaker } from './cards';

/** The button in the corner: an icon, with a word beside it where the organization chose one. */
export class Launcher {
  readonly element: HTMLButtonElement;

  constructor(
    private readonly say: Speaker,
    private readonly label: string,
    click: () => void,
  ) {
    this.element = h(
      'button',
      {
        class: label === '' ? 'launcher' : 'launcher labelled',
        hook: 'launcher',
        attributes: { type: 'button', 'aria-haspopup': 'dialog' },
        on: { click },
      },
      h('span', { class: 'launcher-icon' }, icon('mark'), icon('close')),
      label === '' ? null : h('span', { class: 'launcher-label' }, label),
    );
    this.reflect(false);
  }

  /** Shows that the panel is open, or not. */
  reflect(isOpen: boolean): void {
    this.element.classList.toggle('open', isOpen);
    this.element.setAttribute('aria-expanded', String(isOpen));
    if (isOpen || this.label === '') {
      this.element.setAttribute('aria-label', this.say(isOpen ? 'launcherClose' : 'launcherOpen'));
    } else {
      this.element.removeAttribute('aria-label');
    }
  }

  /** Steps back while a guide is running: the page is what matters then. */
  stepBack(isRunning: boolean): void {
    this.element.classList.toggle('busy', isRunning);
  }

  focus(): void {
    this.element.focus({ preventScroll: true });
  }
}
