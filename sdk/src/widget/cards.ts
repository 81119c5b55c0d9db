/** The pieces of the conversation. Each function makes one; none keeps state. */
import { ApiError } from '../api/errors';
import type { Answer } from '../api/wire';
import type { Say } from '../core/locale';
import type { MessageKey } from '../core/messages';
import { dots } from '../ui/dots';
import { h } from '../ui/element';
import { icon } from '../ui/icons';

export type Speaker = Say<MessageKey>;

export function questionBubble(text: string): HTMLElement {
  return h('p', { class: 'bubble asked', hook: 'question-asked' }, text.replace(/ (?=[?!:;»])/g, '\u00a0'));
}

export function sentence(text: string, hook: string): HTMLElement {
  return h('p', { class: 'bubble', hook }, text);
}

/** The line shown while an answer is made. */
export function progressLine(text: string): { element: HTMLElement; say: (text: string) => void } {
  const words = h('span', {}, text);
  return {
    element: h('p', { class: 'bubble working', hook: 'progress' }, dots(), words),
    say: (next) => {
      words.textContent = next;
    },
  };
}

/**
 * An answer that is a guide: what it is, or on which other page, whether people have reviewed it, a way to see it again,
 * and its thumbs.
 */
export function guideAnswer(
  answer: Answer,
  say: Speaker,
  ratings: HTMLElement | null,
  onReplay: () => void,
): HTMLElement {
  const isPublished = answer.status === 'published';
  return h(
    'div',
    { class: 'bubble answer', hook: 'answer' },
    h('p', { class: 'answer-title', hook: 'answer-title' }, answer.message ?? (answer.title || say('guideReady'))),
    h(
      'p',
      { class: `note ${isPublished ? 'good' : 'warn'}`, hook: 'answer-status' },
      icon(isPublished ? 'shield' : 'clock'),
      h('span', {}, say(isPublished ? 'statusPublished' : 'statusEphemeral')),
    ),
    h(
      'div',
      { class: 'answer-row' },
      h(
        'button',
        { class: 'button quiet replay', hook: 'replay', attributes: { type: 'button' }, on: { click: onReplay } },
        icon('play'),
        say('replay'),
      ),
      ratings,
    ),
  );
}

/** Nothing fits: the kind sentence, and what this page can do. */
export function nothingFound(
  message: string,
  suggestions: string[],
  say: Speaker,
  onPick: (goal: string) => void,
): HTMLElement {
  return h(
    'div',
    { class: 'bubble', hook: 'fallback' },
    h('p', {}, message || say('notFound')),
    suggestions.length === 0
      ? h('p', { class: 'hint' }, say('noted'))
      : h(
          'div',
          { class: 'suggestions' },
          h('p', { class: 'label' }, say('suggestionsTitle')),
          chips(suggestions, 'suggestion', onPick),
        ),
  );
}

/** Texts to pick from. */
export function chips(texts: string[], hook: string, onPick: (text: string) => void): HTMLElement {
  const items = texts.map((text) => {
    const click = () => {
      onPick(text);
    };
    return h('button', { class: 'chip', hook, attributes: { type: 'button' }, on: { click } }, text);
  });
  return h('div', { class: 'chips' }, ...items);
}

/** What went wrong and what to do about it. */
export function failure(error: unknown, say: Speaker, onRetry: () => void): HTMLElement {
  const canRetry = !(error instanceof ApiError && error.kind === 'refused');
  return h(
    'div',
    {
      class: 'bubble failure',
      hook: 'error',
      attributes: { 'data-code': error instanceof ApiError ? error.code : 'unexpected' },
    },
    h('p', { class: 'failure-text' }, icon('alert'), h('span', {}, failureText(error, say))),
    canRetry
      ? h(
          'button',
          { class: 'button quiet', hook: 'retry', attributes: { type: 'button' }, on: { click: onRetry } },
          icon('retry'),
          say('retry'),
        )
      : null,
  );
}

function failureText(error: unknown, say: Speaker): string {
  if (!(error instanceof ApiError)) {
    return say('errorServer');
  }
  switch (error.kind) {
    case 'offline':
      return say(navigator.onLine ? 'errorOffline' : 'errorNoNetwork');
    case 'timeout':
      return say('errorTimeout');
    case 'throttled':
      return error.retryAfter === null ? say('errorThrottled') : say('errorThrottledFor', { count: error.retryAfter });
    case 'server':
      return say('errorServer');
    case 'refused':
      return error.message || say('errorRefused');
  }
}
