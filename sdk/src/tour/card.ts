import type { ButtonAction, Guide, Step, StepButton } from '../api/wire';
import type { Say } from '../core/locale';
import type { MessageKey } from '../core/messages';
import { h } from '../ui/element';
import { icon } from '../ui/icons';

export interface CardContent {
  guide: Guide;
  index: number;
  /** Set when the step's element is not there: said instead of pointing at something else. */
  apology: string | null;
  say: Say<MessageKey>;
  act: (action: ButtonAction) => void;
}

export const TITLE_ID = 'circuy-step-title';
export const TEXT_ID = 'circuy-step-text';

/**
 * What a step shows. Shepherd would read titles, texts and button labels as HTML; here they are text nodes, so what a
 * model or an editor wrote can only ever be read. Shepherd's class names stay, for themes.
 */
export function stepCard(content: CardContent): HTMLElement {
  const { guide, index, apology, say, act } = content;
  const step = guide.steps[index];
  if (step === undefined) {
    throw new RangeError(`no step ${index} in this guide`);
  }
  const total = guide.steps.length;
  return h(
    'div',
    { class: 'card', hook: 'step' },
    h(
      'div',
      { class: 'shepherd-header' },
      h(
        'span',
        {
          class: 'counter',
          hook: 'step-counter',
          attributes: { 'aria-label': say('stepOf', { count: index + 1, total }), role: 'img' },
        },
        `${index + 1} / ${total}`,
      ),
      h(
        'button',
        {
          class: 'icon-button shepherd-cancel-icon',
          hook: 'step-cancel',
          attributes: { type: 'button', 'aria-label': say('tourClose') },
          on: {
            click: () => {
              act('cancel');
            },
          },
        },
        icon('close'),
      ),
    ),
    h('h2', { class: 'shepherd-title', hook: 'step-title', attributes: { id: TITLE_ID } }, step.title || guide.title),
    h('div', { class: 'shepherd-body', attributes: { id: TEXT_ID } }, ...body(step, apology, say)),
    statusNote(guide, say),
    h('div', { class: 'shepherd-footer' }, ...buttonsOf(step, say).map((button) => actionButton(button, act))),
    progressBar(index, total),
  );
}

function body(step: Step, apology: string | null, say: Say<MessageKey>): HTMLElement[] {
  const text = h('p', { class: 'shepherd-text', hook: 'step-text' }, step.text);
  if (apology === null) {
    return [text];
  }
  return [
    h('p', { class: 'apology', hook: 'step-missing' }, icon('alert'), h('span', {}, apology)),
    h('p', { class: 'hint' }, say('missingHint')),
    text,
  ];
}

function buttonsOf(step: Step, say: Say<MessageKey>): StepButton[] {
  return step.buttons.length > 0 ? step.buttons : [{ text: say('understood'), action: 'next' }];
}

function actionButton(button: StepButton, act: (action: ButtonAction) => void): HTMLElement {
  const isMain = button.action === 'next' || button.action === 'complete';
  return h(
    'button',
    {
      class: `button shepherd-button${isMain ? '' : ' quiet shepherd-button-secondary'}`,
      hook: `step-${button.action}`,
      attributes: { type: 'button' },
      on: {
        click: () => {
          act(button.action);
        },
      },
    },
    button.text,
  );
}

function statusNote(guide: Guide, say: Say<MessageKey>): HTMLElement {
  const isPublished = guide.status === 'published';
  return h(
    'p',
    { class: `note ${isPublished ? 'good' : 'warn'}`, hook: 'step-status' },
    icon(isPublished ? 'shield' : 'clock'),
    h('span', {}, say(isPublished ? 'statusPublished' : 'statusEphemeral')),
  );
}

function progressBar(index: number, total: number): HTMLElement | null {
  if (total < 2) {
    return null;
  }
  const parts = Array.from({ length: total }, (_, i) => h('i', { class: i <= index ? 'done' : '' }));
  return h('div', { class: 'progress', attributes: { 'aria-hidden': 'true' } }, ...parts);
}
