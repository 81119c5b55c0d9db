import type { Say } from '../core/locale';
import type { Rule } from '../core/masking';
import type { PreviewMessageKey } from '../core/preview_messages';
import type { Environment } from '../dom/environment';
import { scanPage } from '../dom/scanner';
import { boxOf } from '../ui/box';
import { h } from '../ui/element';
import { Choices, type Choice, type Sight } from './choices';
import { Outline } from './outline';
import { elementAt, scrollAround, type Point } from './pointing';

/** What the page must not hear of while something is picked on it. */
const POINTER = [
  ...['pointerdown', 'pointerup', 'pointermove', 'pointerover', 'pointerout', 'pointercancel'],
  ...['mousedown', 'mouseup', 'mousemove', 'mouseover', 'mouseout', 'click', 'dblclick', 'auxclick', 'contextmenu'],
  ...['touchstart', 'touchmove', 'touchend', 'touchcancel', 'wheel'],
];
const KEYS = ['keydown', 'keyup', 'keypress'];
/** These are left to the browser: a finger that is held back does not scroll. */
const NATIVE = new Set(['touchstart', 'touchmove', 'touchend', 'touchcancel', 'pointermove', 'mousemove']);
/** A page that changes without rest is read again so often at most. */
const READ_EVERY_MS = 500;

export interface PickerOptions {
  masks: readonly Rule[];
  say: Say<PreviewMessageKey>;
  /** Our own bar: what is done there is not picking. */
  bar: HTMLElement;
  /** What would be chosen now, or why not. */
  onSight: (sight: Sight | null) => void;
  onChosen: (choice: Choice) => void;
  /** What was chosen has left the page. */
  onGone: () => void;
  onCancelled: () => void;
}

/**
 * Lets somebody point at an element of the page. A pane lies over the page, frames included, so that no click reaches it;
 * what lies under the pane is looked up. Only what the scanner keeps can be chosen, and it is read afresh when it is.
 */
export class Picker {
  readonly pane = h('div', { class: 'pane', hook: 'pick-pane' });
  readonly outline: Outline;
  private readonly life = new AbortController();
  private readonly observer = new MutationObserver(() => {
    this.isStale = true;
  });
  private choices: Choices | null = null;
  private sight: Sight | null = null;
  private at: Point | null = null;
  private pointer = '';
  private isStale = true;
  private isChoosing = false;
  private reading: Promise<void> | null = null;
  private lastRead = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly env: Environment,
    private readonly options: PickerOptions,
  ) {
    this.outline = new Outline(env, options.say);
    const { signal } = this.life;
    for (const name of POINTER) {
      window.addEventListener(name, this.onPointer, { capture: true, passive: false, signal });
    }
    for (const name of KEYS) {
      window.addEventListener(name, this.onKey, { capture: true, signal });
    }
    this.observer.observe(document, { subtree: true, childList: true, attributes: true });
  }

  /** The element that would be chosen. */
  get framed(): Element | null {
    return this.sight !== null && 'choice' in this.sight ? this.sight.choice.element : null;
  }

  /** Reads the page. Throws when it cannot be read. */
  async start(): Promise<void> {
    await this.read();
  }

  /** Chooses what is framed. */
  async choose(): Promise<void> {
    if (this.sight === null || 'refusal' in this.sight || this.isChoosing) {
      return;
    }
    const { element } = this.sight.choice;
    this.isChoosing = true;
    try {
      await this.read();
      if (this.life.signal.aborted) {
        return;
      }
      const fresh = this.choices?.of(element) ?? null;
      if (fresh === null) {
        this.show(null);
        this.options.onGone();
      } else {
        this.options.onChosen(fresh);
      }
    } finally {
      this.isChoosing = false;
    }
  }

  remove(): void {
    this.life.abort();
    clearTimeout(this.timer ?? undefined);
    this.observer.disconnect();
    this.outline.remove();
    this.pane.remove();
  }

  private async read(): Promise<void> {
    this.reading ??= scanPage(this.env, location.pathname, { masks: this.options.masks })
      .then((scan) => {
        this.choices = new Choices(this.env, scan);
      })
      .finally(() => {
        this.reading = null;
      });
    this.isStale = false;
    this.lastRead = Date.now();
    await this.reading;
  }

  /** Reads the page once more if it has changed, as soon as it may. */
  private readAgain(): void {
    if (!this.isStale || this.timer !== null) {
      return;
    }
    this.timer = setTimeout(
      () => {
        this.timer = null;
        this.read().then(
          () => {
            this.look();
          },
          () => undefined,
        );
      },
      Math.max(0, READ_EVERY_MS - (Date.now() - this.lastRead)),
    );
  }

  private readonly onPointer = (event: Event): void => {
    if (event.composedPath().includes(this.options.bar)) {
      return;
    }
    event.stopImmediatePropagation();
    if (!NATIVE.has(event.type)) {
      event.preventDefault();
    }
    switch (event.type) {
      case 'pointerdown':
      case 'pointermove': {
        const { pointerType, clientX, clientY } = event as PointerEvent;
        this.pointer = pointerType;
        if (pointerType !== 'touch') {
          this.lookAt({ x: clientX, y: clientY });
        }
        break;
      }
      case 'click': {
        const { clientX, clientY } = event as MouseEvent;
        this.lookAt({ x: clientX, y: clientY });
        // A finger hides what it points at: there the bar's button confirms.
        if (this.pointer !== 'touch') {
          void this.choose();
        }
        break;
      }
      case 'wheel':
        this.onWheel(event as WheelEvent);
    }
  };

  private onWheel({ clientX, clientY, deltaX, deltaY, deltaMode }: WheelEvent): void {
    const factor = deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1;
    const under = elementAt(this.env, { x: clientX, y: clientY });
    if (under === null || !scrollAround(this.env, under, deltaX * factor, deltaY * factor)) {
      window.scrollBy(deltaX * factor, deltaY * factor);
    }
    this.lookAt({ x: clientX, y: clientY });
  }

  private readonly onKey = (event: Event): void => {
    const { key, type, isComposing } = event as KeyboardEvent;
    const control = event.composedPath().find((target) => target instanceof HTMLButtonElement);
    const isPress = key === 'Enter' || key === ' ';
    if (control !== undefined && isPress && event.composedPath().includes(this.options.bar)) {
      return;
    }
    event.stopImmediatePropagation();
    event.preventDefault();
    if (type !== 'keydown' || isComposing) {
      return;
    }
    if (key === 'Escape') {
      this.options.onCancelled();
    } else if (key === 'Enter') {
      void this.choose();
    } else if (key === 'Tab') {
      this.moveFocus((event as KeyboardEvent).shiftKey ? -1 : 1);
    } else {
      this.move(key);
    }
  };

  /** Tab stays among the buttons of the bar. */
  private moveFocus(by: 1 | -1): void {
    const buttons = [...this.options.bar.querySelectorAll<HTMLElement>('button:enabled')].filter(
      (button) => button.offsetParent !== null,
    );
    const { activeElement } = this.options.bar.getRootNode() as ShadowRoot;
    const from = buttons.findIndex((button) => button === activeElement);
    const to = from === -1 && by === -1 ? buttons.length - 1 : (from + by + buttons.length) % buttons.length;
    buttons[to]?.focus();
  }

  private move(key: string): void {
    const { choices } = this;
    const from = this.sight !== null && 'choice' in this.sight ? this.sight.choice : null;
    if (choices === null || !key.startsWith('Arrow')) {
      return;
    }
    const next = from === null ? choices.first : towards(choices, from, key);
    if (next === null) {
      return;
    }
    this.at = null;
    const box = boxOf(this.env, next.element);
    if (box === null || box.top < 0 || box.top + box.height > innerHeight) {
      Element.prototype.scrollIntoView.call(next.element, { block: 'center', inline: 'nearest' });
    }
    this.show(choices.at(next.element));
  }

  private lookAt(point: Point): void {
    this.at = point;
    this.look();
    this.readAgain();
  }

  private look(): void {
    const under = this.at === null ? null : elementAt(this.env, this.at);
    if (this.choices !== null && under !== null) {
      this.show(this.choices.at(under));
    }
  }

  private show(sight: Sight | null): void {
    if (isSame(sight, this.sight)) {
      this.sight = sight;
      return;
    }
    this.sight = sight;
    this.outline.show(sight);
    this.options.onSight(sight);
  }
}

function towards(choices: Choices, from: Choice, key: string): Choice | null {
  switch (key) {
    case 'ArrowUp':
      return choices.parent(from);
    case 'ArrowDown':
      return choices.child(from);
    default:
      return choices.beside(from, key === 'ArrowRight' ? 1 : -1);
  }
}

function isSame(a: Sight | null, b: Sight | null): boolean {
  if (a === null || b === null) {
    return a === b;
  }
  return 'choice' in a
    ? 'choice' in b && a.choice.element === b.choice.element && a.choice.strength === b.choice.strength
    : 'refusal' in b && a.refusal === b.refusal && a.element === b.element;
}
