import { h } from '../ui/element';
import { dots } from '../ui/dots';
import { HOSTS } from '../dom/own_ui';
import { mountHost, type Host } from '../ui/host';
import theme from '../ui/theme.css';
import { Spotlight } from './spotlight';
import styles from './tour.css';

/** Everything a running guide puts on the page: the step cards, the ring around the target, the "looking" line. */
export class Stage {
  readonly cards: HTMLElement;
  readonly spotlight: Spotlight;
  private readonly host: Host;
  private readonly waiting: HTMLElement;
  private waitingTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(locale: string, waitingText: string) {
    this.host = mountHost(HOSTS.tour, locale, theme, styles);
    this.spotlight = new Spotlight();
    this.cards = h('div', { class: 'cards', hook: 'tour' });
    this.waiting = h('div', { class: 'waiting', hook: 'tour-waiting' }, dots(), waitingText);
    this.waiting.hidden = true;
    const live = h('div', { attributes: { role: 'status' } }, this.waiting);
    this.host.root.append(h('div', { class: 'root' }, this.spotlight.element, this.cards, live));
  }

  /** Says that the target is being looked for, unless it is found in the blink of an eye. */
  showWaiting(): void {
    this.waitingTimer ??= setTimeout(() => {
      this.waiting.hidden = false;
    }, 250);
  }

  hideWaiting(): void {
    if (this.waitingTimer !== null) {
      clearTimeout(this.waitingTimer);
      this.waitingTimer = null;
    }
    this.waiting.hidden = true;
  }

  /**
   * Stands above everything, dialogs included. Outside an open modal dialog the browser makes everything inert, so
   * for a target in one, we go in there too.
   */
  standOver(target: Element | null): void {
    const { element } = this.host;
    const place = target?.closest('dialog:modal') ?? document.documentElement;
    if (element.parentElement !== place) {
      place.append(element);
    }
    if ('showPopover' in element) {
      element.popover = 'manual';
      if (element.matches(':popover-open')) {
        element.hidePopover();
      }
      element.showPopover();
    }
  }

  hasFocus(): boolean {
    return this.host.root.activeElement !== null;
  }

  remove(): void {
    this.hideWaiting();
    this.spotlight.leave();
    this.host.remove();
  }
}
