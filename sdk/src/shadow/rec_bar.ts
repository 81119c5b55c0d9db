import type { Say } from '../core/locale';
import type { ShadowMessageKey } from '../core/shadow_messages';
import { h } from '../ui/element';
import { icon } from '../ui/icons';
import { shadowIcon, type ShadowIcon } from './icons';

type Speaker = Say<ShadowMessageKey>;

export interface BarActions {
  pause: () => void;
  resume: () => void;
  undo: () => void;
  stop: () => void;
  talk: () => void;
  moved: (place: Place) => void;
}

export interface BarState {
  isPaused: boolean;
  actions: number;
}

/** A corner of the window. */
export type Place = `${'top' | 'bottom'} ${'left' | 'right'}`;

export const FIRST_PLACE: Place = 'bottom left';
const MOVES: Record<string, (place: Place) => Place> = {
  ArrowUp: (place) => place.replace('bottom', 'top') as Place,
  ArrowDown: (place) => place.replace('top', 'bottom') as Place,
  ArrowLeft: (place) => place.replace('right', 'left') as Place,
  ArrowRight: (place) => place.replace('left', 'right') as Place,
};
const DRAGGED_FROM_PX = 6;

/** Says that the page is being recorded, what was understood last, and lets go of it. */
export class RecBar {
  readonly element: HTMLElement;
  private place: Place = FIRST_PLACE;
  private readonly label = h('strong', { class: 'rec-word' });
  private readonly time = h('span', { class: 'rec-time', hook: 'rec-time', attributes: { role: 'timer' } });
  private readonly count = h('span', { class: 'rec-count', hook: 'rec-count' });
  private readonly line = h('p', { class: 'rec-line', hook: 'rec-line', attributes: { role: 'status' } });
  private readonly notice = h('div', { class: 'rec-notice', hook: 'rec-notice', attributes: { role: 'alert' } });
  private readonly pause: HTMLButtonElement;
  private readonly undo: HTMLButtonElement;
  private readonly talk: HTMLButtonElement;
  private isPaused = false;

  constructor(
    private readonly say: Speaker,
    private readonly actions: BarActions,
  ) {
    this.pause = this.button('pause', 'rec-pause', 'pause', () => {
      if (this.isPaused) {
        actions.resume();
      } else {
        actions.pause();
      }
    });
    this.undo = this.button('undo', 'rec-undo', 'undo', actions.undo);
    this.undo.lastElementChild?.replaceWith(
      h('span', { class: 'long' }, say('undo')),
      h('span', { class: 'short' }, say('undoShort')),
    );
    this.undo.setAttribute('aria-label', say('undo'));
    this.talk = this.button('talk', 'rec-talk', 'talk', actions.talk);
    this.talk.lastElementChild?.replaceWith(h('span', {}, say('name')));
    this.talk.setAttribute('aria-label', say('talk'));
    const stop = this.button('stop', 'rec-stop', 'stop', actions.stop);
    stop.classList.add('rec-stop');
    this.element = h(
      'section',
      { class: 'rec', hook: 'rec-bar', attributes: { 'aria-label': say('bar') } },
      h(
        'div',
        { class: 'rec-head' },
        h('span', { class: 'rec-dot', attributes: { 'aria-hidden': 'true' } }),
        this.label,
        this.time,
        this.count,
      ),
      this.handle(),
      this.line,
      h('div', { class: 'rec-tools' }, this.pause, this.undo, this.talk, stop),
      this.notice,
    );
    this.reflect({ isPaused: false, actions: 0 });
    this.tick(0);
    this.put(FIRST_PLACE);
  }

  reflect({ isPaused, actions }: BarState): void {
    const { say } = this;
    if (isPaused !== this.isPaused || this.label.textContent === '') {
      this.isPaused = isPaused;
      const key = isPaused ? 'resume' : 'pause';
      this.pause.replaceChildren(shadowIcon(isPaused ? 'play' : 'pause'), h('span', {}, say(key)));
      this.pause.title = say(key);
      this.label.textContent = say(isPaused ? 'paused' : 'rec');
      this.element.classList.toggle('paused', isPaused);
    }
    const key = actions === 0 ? 'actionsNone' : actions === 1 ? 'actionsOne' : 'actionsMany';
    this.count.textContent = say(key, { count: actions });
    this.undo.disabled = actions === 0;
  }

  /** `ms` recorded so far. */
  tick(ms: number): void {
    const seconds = Math.floor(ms / 1_000);
    const text = `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
    if (this.time.textContent !== text) {
      this.time.textContent = text;
    }
  }

  /** What was understood last, or how things stand. */
  tell(text: string): void {
    if (this.line.textContent !== text) {
      this.line.textContent = text;
      this.line.title = text;
    }
  }

  /** Something that people should know, until they have read it; empty to take it away. */
  warn(text: string): void {
    const dismiss = h(
      'button',
      {
        class: 'rec-dismiss',
        hook: 'rec-dismiss',
        attributes: { type: 'button' },
        on: {
          click: () => {
            this.warn('');
          },
        },
      },
      this.say('dismiss'),
    );
    this.notice.replaceChildren(...(text === '' ? [] : [icon('alert'), h('p', {}, text), dismiss]));
  }

  put(place: Place): void {
    this.place = place;
    this.element.classList.toggle('at-top', place.startsWith('top'));
    this.element.classList.toggle('at-right', place.endsWith('right'));
  }

  focusTalk(): void {
    this.talk.focus({ preventScroll: true });
  }

  private handle(): HTMLElement {
    const title = this.say('move');
    const handle = h(
      'button',
      {
        class: 'icon-button rec-move',
        hook: 'rec-move',
        attributes: { type: 'button', 'aria-label': title, title },
        on: {
          keydown: (event) => {
            const move = MOVES[event.key];
            if (move !== undefined) {
              event.preventDefault();
              this.moveTo(move(this.place));
            }
          },
          pointerdown: (event) => {
            this.drag(handle, event);
          },
        },
      },
      shadowIcon('move'),
    );
    return handle;
  }

  /** Follows the pointer, and goes to the corner that it is let go in. A mere click goes on to the next one. */
  private drag(handle: HTMLElement, from: PointerEvent): void {
    handle.setPointerCapture(from.pointerId);
    const over = new AbortController();
    let isDragged = false;
    const moved = (event: PointerEvent) => {
      const x = event.clientX - from.clientX;
      const y = event.clientY - from.clientY;
      isDragged ||= Math.hypot(x, y) > DRAGGED_FROM_PX;
      if (isDragged) {
        this.element.style.transform = `translate(${x}px, ${y}px)`;
      }
    };
    const ended = (event: PointerEvent) => {
      over.abort();
      this.element.style.transform = '';
      const side = event.clientX > innerWidth / 2 ? 'right' : 'left';
      const edge = event.clientY > innerHeight / 2 ? 'bottom' : 'top';
      this.moveTo(isDragged ? `${edge} ${side}` : next(this.place));
    };
    const { signal } = over;
    handle.addEventListener('pointermove', moved, { signal });
    handle.addEventListener('pointerup', ended, { signal });
    handle.addEventListener(
      'pointercancel',
      () => {
        over.abort();
        this.element.style.transform = '';
      },
      { signal },
    );
  }

  private moveTo(place: Place): void {
    this.put(place);
    this.actions.moved(place);
  }

  private button(key: ShadowMessageKey, hook: string, mark: ShadowIcon, press: () => void): HTMLButtonElement {
    const name = this.say(key);
    const attributes = { type: 'button', title: name };
    return h(
      'button',
      { class: 'rec-button', hook, attributes, on: { click: press } },
      shadowIcon(mark),
      h('span', {}, name),
    );
  }
}

function next(place: Place): Place {
  const round: Place[] = ['bottom left', 'top left', 'top right', 'bottom right'];
  return round[(round.indexOf(place) + 1) % round.length] ?? FIRST_PLACE;
}

export function isPlace(text: string): text is Place {
  return /^(?:top|bottom) (?:left|right)$/.test(text);
}
