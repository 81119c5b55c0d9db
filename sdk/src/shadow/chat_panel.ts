import type { Say } from '../core/locale';
import type { ShadowMessageKey } from '../core/shadow_messages';
import { h } from '../ui/element';
import { icon } from '../ui/icons';
import { shadowIcon } from './icons';

type Speaker = Say<ShadowMessageKey>;

const LONGEST = 500;
const BELOW = 14;

export interface ChatActions {
  send: (text: string) => void;
  observe: () => void;
  /** Back to the scan of the page. */
  back: () => void;
  reduce: () => void;
  quit: () => void;
  drafted: (text: string) => void;
}

/** The window of the conversation with Léa. */
export class ChatPanel {
  readonly element: HTMLElement;
  private readonly thread: HTMLElement;
  private readonly choices = h('div', { class: 'choices' });
  private readonly observe: HTMLElement;
  private readonly field: HTMLInputElement;
  private readonly sendButton: HTMLButtonElement;
  private readonly back: HTMLButtonElement;
  private readonly reduce: HTMLButtonElement;
  private readonly quit: HTMLButtonElement;

  constructor(
    private readonly say: Speaker,
    private readonly actions: ChatActions,
  ) {
    this.field = h('input', {
      class: 'field',
      hook: 'lea-field',
      attributes: {
        type: 'text',
        autocomplete: 'off',
        enterkeyhint: 'send',
        maxlength: String(LONGEST),
        placeholder: say('placeholder'),
        'aria-label': say('field'),
      },
      on: {
        input: () => {
          this.reflectField();
          actions.drafted(this.field.value);
        },
      },
    });
    const attributes = { type: 'submit', 'aria-label': say('send'), disabled: true };
    this.sendButton = h('button', { class: 'send', hook: 'lea-send', attributes }, icon('send'));
    // What cannot be seen without scrolling must be reachable without a mouse.
    this.thread = h('div', {
      class: 'thread',
      hook: 'lea-thread',
      attributes: { role: 'log', 'aria-live': 'polite', 'aria-label': say('name'), tabindex: '0' },
    });
    this.observe = h(
      'button',
      { class: 'button observe', hook: 'lea-observe', attributes: { type: 'button' }, on: { click: actions.observe } },
      icon('eye'),
      say('observe'),
    );
    this.back = this.tool('back', 'lea-back', shadowIcon('back'), actions.back);
    this.reduce = this.tool('reduce', 'lea-reduce', shadowIcon('reduce'), actions.reduce);
    this.quit = this.tool('quit', 'lea-quit', icon('close'), actions.quit);
    this.element = h(
      'section',
      {
        class: 'lea',
        hook: 'lea',
        attributes: { 'aria-label': say('name') },
        on: {
          keydown: (event) => {
            if (event.key === 'Escape' && !event.isComposing && !this.reduce.hidden) {
              actions.reduce();
            }
          },
        },
      },
      this.header(),
      this.thread,
      this.choices,
      this.observe,
      this.composer(),
    );
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  show(isShown: boolean): void {
    this.element.hidden = !isShown;
    this.scrollToLast();
  }

  /** While the page is watched the conversation can only be put aside. `mayObserve`: Léa waits for no answer. */
  reflect(isWatched: boolean, mayObserve: boolean): void {
    this.back.hidden = this.quit.hidden = isWatched;
    this.reduce.hidden = !isWatched;
    if (this.observe.hidden !== (isWatched || !mayObserve)) {
      this.observe.hidden = !this.observe.hidden;
      this.scrollToLast();
    }
  }

  focusField(): void {
    this.field.focus({ preventScroll: true });
  }

  get hasFocus(): boolean {
    const root = this.element.getRootNode();
    return root instanceof ShadowRoot && this.element.contains(root.activeElement);
  }

  begin(draft: string): void {
    this.field.value = draft;
    this.reflectField();
  }

  /** Adds a piece to the thread and brings it into view. */
  add(piece: HTMLElement): void {
    this.thread.append(piece);
    this.scrollToLast();
  }

  /** What may be answered with one press. */
  offer(pieces: HTMLElement[]): void {
    this.choices.replaceChildren(...pieces);
    this.scrollToLast();
  }

  /** The beginning of a long reply is what is read first. */
  private scrollToLast(): void {
    const last = this.thread.lastElementChild;
    if (last instanceof HTMLElement) {
      // Not `scrollIntoView`: it would scroll the host page as well.
      this.thread.scrollTop = Math.max(0, last.offsetTop - BELOW);
    }
  }

  private header(): HTMLElement {
    const { say } = this;
    return h(
      'div',
      { class: 'header' },
      this.back,
      h('span', { class: 'mark face', attributes: { 'aria-hidden': 'true' } }, 'L'),
      h(
        'div',
        { class: 'headings' },
        h('h2', { class: 'title' }, say('name')),
        h('p', { class: 'subtitle' }, say('subtitle')),
      ),
      this.reduce,
      this.quit,
    );
  }

  private composer(): HTMLElement {
    return h(
      'form',
      {
        class: 'composer',
        attributes: { autocomplete: 'off' },
        on: {
          submit: (event) => {
            event.preventDefault();
            this.submit();
          },
        },
      },
      h('div', { class: 'field-box' }, this.field, this.sendButton),
    );
  }

  private submit(): void {
    const text = this.field.value.trim();
    if (text !== '') {
      this.begin('');
      this.actions.drafted('');
      this.actions.send(text);
    }
  }

  private reflectField(): void {
    this.sendButton.disabled = this.field.value.trim() === '';
  }

  private tool(key: ShadowMessageKey, hook: string, mark: SVGElement, press: () => void): HTMLButtonElement {
    const name = this.say(key);
    const attributes = { type: 'button', 'aria-label': name, title: name };
    return h('button', { class: 'icon-button', hook, attributes, on: { click: press } }, mark);
  }
}
