import type { Environment } from '../dom/environment';
import { HOSTS } from '../dom/own_ui';
import { dots } from '../ui/dots';
import type { Box } from '../ui/box';
import { h } from '../ui/element';
import { mountHost, type Host } from '../ui/host';
import { lastModal, MODAL, modalAround } from './modals';
import { Spotlight } from './spotlight';
import styles from './tour.css';

/** How often we look whether something has come to stand over us. */
const LOOK_EVERY_MS = 250;
/** A page may fight for the top layer, or take away what it does not know: after so many vain attempts it has its way. */
const MOST_ATTEMPTS = 8;
const RAISED = ['toggle', 'close'] as const;

/** Everything a running guide puts on the page: the step cards, the ring around the target, the "looking" line. */
export class Stage {
  readonly cards: HTMLElement;
  readonly spotlight: Spotlight;
  private readonly host: Host;
  private readonly waiting: HTMLElement;
  private readonly live: HTMLElement;
  private readonly timer: ReturnType<typeof setInterval>;
  private waitingTimer: ReturnType<typeof setTimeout> | null = null;
  private target: Element | null = null;
  /** Where we would stand, when we last looked. */
  private place: Element | null = null;
  private attempts = 0;

  constructor(
    private readonly env: Environment,
    { locale, theme, waiting }: { locale: string; theme: string; waiting: string },
    /** The page does not let us stand anywhere. */
    private readonly onRefused: () => void,
  ) {
    this.host = mountHost(HOSTS.tour, locale, theme, styles);
    // Traps of the page that hold the focus in a dialog of theirs would pull it out of our card.
    for (const name of ['focusin', 'focusout'] as const) {
      this.host.element.addEventListener(name, stopPropagation);
    }
    this.spotlight = new Spotlight(env);
    this.cards = h('div', { class: 'cards', hook: 'tour' });
    this.waiting = h('div', { class: 'waiting', hook: 'tour-waiting' }, dots(), waiting);
    this.waiting.hidden = true;
    this.live = h('div', { class: 'visually-hidden live', hook: 'tour-live', attributes: { role: 'status' } });
    const looking = h('div', { attributes: { role: 'status' } }, this.waiting);
    this.host.root.append(
      h('div', { class: 'root circuy-shepherd-theme' }, this.spotlight.element, this.cards, looking, this.live),
    );
    this.timer = setInterval(() => {
      if (this.isOnTop()) {
        this.attempts = 0;
      }
      this.keepOnTop();
    }, LOOK_EVERY_MS);
    for (const name of RAISED) {
      document.addEventListener(name, this.keepOnTop, true);
    }
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

  /** Has `text` read aloud, for steps that come without taking the focus. */
  announce(text: string): void {
    this.live.textContent = text;
  }

  /** Stands above everything, dialogs included, to show something about `target`. */
  standOver(target: Element | null): void {
    this.target = target;
    this.attempts = 0;
    this.place = null;
    this.keepOnTop();
  }

  /** The card's place is to be worked out again. Floating UI listens to the scrolling of what the card is in. */
  refreshPlace(): void {
    this.cards.dispatchEvent(new Event('scroll'));
  }

  /** Where the card is a sheet along an edge of the window: the upper edge, when it would cover `box` at the lower one. */
  dockAwayFrom(box: Box): void {
    const element = this.cards.querySelector('.shepherd-element');
    const height = element?.clientHeight ?? 0;
    element?.classList.toggle('high', box.top + box.height > window.innerHeight - height && box.top > height / 2);
  }

  hasFocus(): boolean {
    return this.host.root.activeElement !== null;
  }

  /** Whether the focus is in a modal dialog of the page that the target is not in: it must not be taken out of there. */
  mustNotTakeFocus(): boolean {
    const { env, target } = this;
    const { activeElement } = document;
    const modal = activeElement === null ? null : modalAround(env, activeElement);
    return modal !== null && (target === null || modalAround(env, target, modal) === null);
  }

  remove(): void {
    clearInterval(this.timer);
    for (const name of RAISED) {
      document.removeEventListener(name, this.keepOnTop, true);
    }
    this.hideWaiting();
    this.spotlight.leave();
    this.host.remove();
  }

  /**
   * Outside an open modal dialog the browser makes everything inert, whatever layer it is in, or the page does, by taking
   * the focus and the clicks: so we go in there, into the target's if it is in one, else into the one that was opened last.
   */
  private places(): Element[] {
    const { env, target } = this;
    const around = target === null ? null : modalAround(env, target);
    return [around, lastModal(), lastModal(MODAL), document.documentElement].filter((place) => place !== null);
  }

  private standIn(place: Element): void {
    const { element, root } = this.host;
    const focused = root.activeElement;
    if (element.parentNode !== place) {
      place.append(element);
    }
    if ('showPopover' in element) {
      element.popover = 'manual';
      if (element.matches(':popover-open')) {
        element.hidePopover();
      }
      element.showPopover();
    }
    if (focused instanceof HTMLElement && root.activeElement !== focused) {
      focused.focus({ preventScroll: true });
    }
  }

  private readonly keepOnTop = (): void => {
    this.reflectCover();
    const places = this.places();
    const [first = null] = places;
    if (this.isOnTop() && first === this.place) {
      return;
    }
    if (this.attempts > MOST_ATTEMPTS) {
      if (!this.host.element.isConnected) {
        this.onRefused();
      }
      return;
    }
    this.attempts += 1;
    this.place = first;
    for (const place of places) {
      this.standIn(place);
      if (this.isOnTop()) {
        return;
      }
    }
  };

  /** Whether what people see and reach in the middle of our card is our card. True when there is none to be reached. */
  private isOnTop(): boolean {
    const { element } = this.host;
    if (!element.isConnected || !this.env.isRendered(element)) {
      return false;
    }
    const card = (this.cards.querySelector('.shepherd-content') ?? this.waiting).getBoundingClientRect();
    const [x, y] = [card.left + card.width / 2, card.top + card.height / 2];
    if (card.width === 0 || x < 0 || y < 0 || x >= window.innerWidth || y >= window.innerHeight) {
      return true;
    }
    const tree = element.getRootNode() as Document | ShadowRoot;
    return tree.elementFromPoint(x, y) === element;
  }

  private reflectCover(): void {
    const { env, target } = this;
    const modal = lastModal();
    const isBehind = (it: Element) => modal !== null && modalAround(env, it, modal) !== modal;
    this.spotlight.veil(target !== null && (isBehind(target) || env.matches(target, '[inert], [inert] *')));
  }
}

function stopPropagation(event: Event): void {
  event.stopPropagation();
}
