import { h } from '../ui/element';
import { icon } from '../ui/icons';
import type { Speaker } from './cards';

const LONGEST_QUESTION = 300;
const BELOW = 14;

/** The window of the conversation: header, thread, guides of the page, and the field to ask in. */
export class Panel {
  readonly element: HTMLElement;
  private readonly scroll: HTMLElement;
  private readonly thread: HTMLElement;
  private readonly below: HTMLElement;
  private readonly field: HTMLInputElement;
  private readonly sendButton: HTMLButtonElement;

  constructor(
    say: Speaker,
    actions: { ask: (question: string) => void; close: () => void; lastQuestion: () => string | null },
  ) {
    this.field = h('input', {
      class: 'field',
      hook: 'question',
      attributes: {
        type: 'text',
        name: 'question',
        autocomplete: 'off',
        enterkeyhint: 'send',
        maxlength: String(LONGEST_QUESTION),
        placeholder: say('questionPlaceholder'),
        'aria-label': say('questionLabel'),
      },
      on: {
        input: () => {
          this.reflectField();
        },
        keydown: (event) => {
          const last = event.key === 'ArrowUp' && this.field.value === '' ? actions.lastQuestion() : null;
          if (last !== null) {
            event.preventDefault();
            this.begin(last);
          }
        },
      },
    });
    this.sendButton = h(
      'button',
      { class: 'send', hook: 'send', attributes: { type: 'submit', 'aria-label': say('send'), disabled: true } },
      icon('send'),
    );
    this.thread = h('div', {
      class: 'thread',
      hook: 'thread',
      attributes: { role: 'log', 'aria-live': 'polite', 'aria-label': say('panelTitle') },
    });
    this.below = h('div', { class: 'below' });
    this.scroll = h('div', { class: 'scroll', attributes: { tabindex: '-1' } }, this.thread, this.below);
    this.element = h(
      'div',
      {
        class: 'panel',
        hook: 'panel',
        attributes: { role: 'dialog', 'aria-modal': 'false', 'aria-labelledby': 'circuy-panel-title' },
        on: {
          keydown: (event) => {
            if (event.key === 'Escape' && !event.isComposing) {
              actions.close();
            }
          },
        },
      },
      header(say, actions.close),
      this.scroll,
      h(
        'form',
        {
          class: 'composer',
          attributes: { autocomplete: 'off' },
          on: {
            submit: (event) => {
              event.preventDefault();
              this.submit(actions.ask);
            },
          },
        },
        h('div', { class: 'field-box' }, this.field, this.sendButton),
      ),
    );
    this.element.hidden = true;
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  show(): void {
    this.element.hidden = false;
  }

  hide(): void {
    this.element.hidden = true;
  }

  focusField(): void {
    this.field.focus({ preventScroll: true });
  }

  /** Writes the beginning of a question, for the asker to go on. */
  begin(question: string): void {
    this.field.value = question;
    this.reflectField();
    this.focusField();
    this.field.setSelectionRange(question.length, question.length);
  }

  /** Adds a piece to the thread and brings it into view. */
  add(piece: HTMLElement): void {
    this.thread.append(piece);
    // Not `scrollIntoView`: it would scroll the host page as well.
    this.scroll.scrollTop = Math.max(0, piece.offsetTop + piece.offsetHeight - this.scroll.clientHeight + BELOW);
  }

  /** Shows what stands below the thread: what helps to begin, the page's guides. */
  showBelow(pieces: HTMLElement[]): void {
    this.below.replaceChildren(...pieces);
  }

  private submit(ask: (question: string) => void): void {
    const question = this.field.value.trim();
    if (question !== '') {
      this.field.value = '';
      this.reflectField();
      ask(question);
    }
  }

  private reflectField(): void {
    this.sendButton.disabled = this.field.value.trim() === '';
  }
}

function header(say: Speaker, close: () => void): HTMLElement {
  return h(
    'div',
    { class: 'header' },
    h('span', { class: 'mark' }, icon('mark')),
    h(
      'div',
      { class: 'headings' },
      h('h2', { class: 'title', attributes: { id: 'circuy-panel-title' } }, say('panelTitle')),
      h('p', { class: 'subtitle' }, say('panelSubtitle')),
    ),
    h(
      'button',
      {
        class: 'icon-button',
        hook: 'close',
        attributes: { type: 'button', 'aria-label': say('close') },
        on: { click: close },
      },
      icon('close'),
    ),
  );
}
