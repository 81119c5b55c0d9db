/** The pieces of the conversation with Léa. Each function makes one; none keeps state. */
import { ApiError } from '../api/errors';
import type { Say } from '../core/locale';
import type { ShadowMessageKey } from '../core/shadow_messages';
import { dots } from '../ui/dots';
import { h } from '../ui/element';
import { icon } from '../ui/icons';
import type { ChatReply, UnderstoodStep } from './wire';

type Speaker = Say<ShadowMessageKey>;

/** What is surer than this is not asked about. */
const SURE_FROM = 0.75;

/** Where French wants a space that never breaks. */
const FRENCH_SPACES = / (?=[?!:;»])|(?<=«) /g;

export function mine(text: string): HTMLElement {
  return h('p', { class: 'bubble mine', hook: 'lea-mine', attributes: { dir: 'auto' } }, unbroken(text));
}

/** What Léa said, with the steps that she understood and the way to the review. */
export function hers({ reply, steps = [], tour }: ChatReply, say: Speaker, base: string): HTMLElement {
  return h(
    'div',
    { class: 'bubble hers', hook: 'lea-reply', attributes: { dir: 'auto' } },
    h('p', { class: 'words' }, unbroken(reply)),
    steps.length === 0 ? null : stepList(steps, say),
    reviewLink(tour ?? null, say, base),
  );
}

export function thinking(say: Speaker): HTMLElement {
  return h('p', { class: 'bubble hers working', hook: 'lea-working' }, dots(), h('span', {}, say('working')));
}

/** Texts to answer with. */
export function choiceButtons(choices: readonly string[], say: Speaker, pick: (text: string) => void): HTMLElement {
  const buttons = choices.map((text) => {
    const click = () => {
      pick(text);
    };
    return h(
      'button',
      { class: 'chip', hook: 'lea-choice', attributes: { type: 'button' }, on: { click } },
      unbroken(text),
    );
  });
  return h(
    'div',
    { class: 'chips', hook: 'lea-choices', attributes: { role: 'group', 'aria-label': say('choices') } },
    ...buttons,
  );
}

export function failure(error: unknown, say: Speaker, retry: () => void): HTMLElement {
  const isRefused = error instanceof ApiError && error.kind === 'refused';
  return h(
    'div',
    { class: 'bubble failure', hook: 'lea-failure' },
    h('p', { class: 'words' }, icon('alert'), h('span', {}, explain(error, say))),
    isRefused
      ? null
      : h(
          'button',
          { class: 'button quiet', hook: 'lea-retry', attributes: { type: 'button' }, on: { click: retry } },
          icon('retry'),
          say('retry'),
        ),
  );
}

function stepList(steps: readonly UnderstoodStep[], say: Speaker): HTMLElement {
  return h(
    'ol',
    { class: 'steps', hook: 'lea-steps', attributes: { 'aria-label': say('stepsTitle') } },
    ...steps.map((step, i) => stepItem(step, step.step > 0 ? step.step : i + 1, say)),
  );
}

function stepItem({ intent, confidence, reasons = [] }: UnderstoodStep, number: number, say: Speaker): HTMLElement {
  const isSure = confidence >= SURE_FROM;
  return h(
    'li',
    { class: 'step' },
    h('span', { class: 'number', attributes: { 'aria-hidden': 'true' } }, String(number)),
    h(
      'div',
      { class: 'said' },
      h('span', { class: 'intent' }, unbroken(intent)),
      ' ',
      h('span', { class: isSure ? 'pill sure' : 'pill unsure' }, say(isSure ? 'sure' : 'unsure')),
      isSure || reasons.length === 0 ? null : h('span', { class: 'reasons' }, unbroken(reasons.join(' '))),
    ),
  );
}

/** Only a link to a web page: an address like `javascript:` is not followed, whoever sent it. */
function reviewLink(tour: ChatReply['tour'] | null, say: Speaker, base: string): HTMLElement | null {
  const address = tour?.review_url ?? '';
  const url = address !== '' && URL.canParse(address, base) ? new URL(address, base) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return null;
  }
  const name = tour?.title ?? '';
  return h(
    'a',
    { class: 'review', hook: 'lea-review', attributes: { href: url.href, target: '_blank', rel: 'noopener' } },
    name === '' ? say('open') : say('openNamed', { name }),
    icon('external'),
  );
}

function unbroken(text: string): string {
  return text.replace(FRENCH_SPACES, '\u00a0');
}

function explain(error: unknown, say: Speaker): string {
  if (!(error instanceof ApiError)) {
    return say('errorServer');
  }
  switch (error.kind) {
    case 'offline':
      return say('errorOffline');
    case 'timeout':
      return say('errorTimeout');
    case 'throttled':
      return say('errorThrottled');
    case 'server':
      return say('errorServer');
    case 'refused':
      return error.code === 'recorder_token_invalid' ? say('ended') : error.message || say('errorRefused');
  }
}
