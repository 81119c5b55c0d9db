import type { ButtonAction, Guide, Step, StepButton } from '../api/wire';
import type { Say } from '../core/locale';
import { h } from '../ui/element';
import { guideIcon as icon } from '../ui/line_icons';
import { markedText } from './marks';
import type { SentenceKey } from './sentences';

/** Why a step does not stand on its element, and what to do about it. */
export interface Notice {
  /** "way": there is something to do first; "apology": we cannot show it. */
  tone: 'way' | 'apology';
  text: string;
  /** Said before the step's own text. */
  hint: string;
  button?: { text: string; press: () => void };
}

export interface CardContent {
  guide: Guide;
  /** Whether the guide has all its steps; how many there will be is not known before. */
  isWhole: boolean;
  index: number;
  notice: Notice | null;
  say: Say<SentenceKey>;
  act: (action: ButtonAction) => void;
}

export const TITLE_ID = 'circuy-step-title';
export const TEXT_ID = 'circuy-step-text';

/**
 * What a step shows. Shepherd would read titles, texts and button labels as HTML; here they are text nodes, so what a
 * model or an editor wrote can only ever be read. Shepherd's class names stay, for themes.
 */
export function stepCard(content: CardContent): HTMLElement {
  const { guide, isWhole, index, notice, say, act } = content;
  const step = guide.steps[index];
  if (step === undefined) {
    throw new RangeError(`no step ${index} in this guide`);
  }
  const total = isWhole ? guide.steps.length : '…';
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
    h(
      'h2',
      { class: 'shepherd-title', hook: 'step-title', attributes: { id: TITLE_ID, dir: 'auto' } },
      step.title || guide.title || say('stepOf', { count: index + 1, total }),
    ),
    h('div', { class: 'shepherd-body', attributes: { id: TEXT_ID } }, ...body(step, notice)),
    statusNote(guide, say),
    h('div', { class: 'shepherd-footer' }, ...buttonsOf(step, notice, say, act)),
    progressBar(index, guide.steps.length),
  );
}

function body(step: Step, notice: Notice | null): HTMLElement[] {
  const text = h('p', { class: 'shepherd-text', hook: 'step-text', attributes: { dir: 'auto' } });
  text.append(...markedText(step.text));
  if (notice === null) {
    return [text];
  }
  const isWay = notice.tone === 'way';
  return [
    h(
      'p',
      { class: `notice ${notice.tone}`, hook: isWay ? 'step-way' : 'step-missing' },
      icon(isWay ? 'external' : 'alert'),
      h('span', {}, notice.text),
    ),
    h('p', { class: 'hint' }, notice.hint),
    text,
  ];
}

function buttonsOf(
  step: Step,
  notice: Notice | null,
  say: Say<SentenceKey>,
  act: (action: ButtonAction) => void,
): HTMLElement[] {
  const given: StepButton[] = step.buttons.length > 0 ? step.buttons : [{ text: say('understood'), action: 'next' }];
  const button = notice?.button;
  return [
    ...given.map(({ text, action }) => {
      const isMain = button === undefined && (action === 'next' || action === 'complete');
      return pushButton(text, `step-${action}`, isMain, () => {
        act(action);
      });
    }),
    ...(button === undefined ? [] : [pushButton(button.text, 'step-go', true, button.press)]),
  ];
}

function pushButton(text: string, hook: string, isMain: boolean, press: () => void): HTMLElement {
  return h(
    'button',
    {
      class: `button shepherd-button${isMain ? '' : ' quiet shepherd-button-secondary'}`,
      hook,
      attributes: { type: 'button', dir: 'auto' },
      on: { click: press },
    },
    text,
  );
}

function statusNote(guide: Guide, say: Say<SentenceKey>): HTMLElement {
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
