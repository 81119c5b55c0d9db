/** The pieces of the conversation. Each function makes one; none keeps state. */
import { ApiError } from '../api/errors';
import type { Guide, GuideSummary } from '../api/wire';
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

/** An answer that is a guide: what it is, whether people have reviewed it, and a way to see it again. */
export function guideAnswer(guide: Guide, say: Speaker, onReplay: () => void): HTMLElement {
  const isPublished = guide.status === 'published';
  return h(
    'div',
    { class: 'bubble answer', hook: 'answer' },
    h('p', { class: 'answer-title' }, guide.title || say('guideReady')),
    h(
      'p',
      { class: `note ${isPublished ? 'good' : 'warn'}`, hook: 'answer-status' },
      icon(isPublished ? 'shield' : 'clock'),
      h('span', {}, say(isPublished ? 'statusPublished' : 'statusEphemeral')),
    ),
    h(
      'button',
      { class: 'button quiet replay', hook: 'replay', attributes: { type: 'button' }, on: { click: onReplay } },
      icon('play'),
      say('replay'),
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
  const chips = suggestions.map((goal) =>
    h(
      'button',
      {
        class: 'chip',
        hook: 'suggestion',
        attributes: { type: 'button' },
        on: {
          click: () => {
            onPick(goal);
          },
        },
      },
      goal,
    ),
  );
  return h(
    'div',
    { class: 'bubble', hook: 'fallback' },
    h('p', {}, message || say('notFound')),
    chips.length === 0
      ? h('p', { class: 'hint' }, say('noted'))
      : h(
          'div',
          { class: 'suggestions' },
          h('p', { class: 'label' }, say('suggestionsTitle')),
          h('div', { class: 'chips' }, ...chips),
        ),
  );
}

/** Beginnings of questions, for whoever does not know what to ask yet. */
export function starters(say: Speaker, onPick: (beginning: string) => void): HTMLElement {
  const beginnings = (['starterAdd', 'starterFind', 'starterChange'] as const).map((key) =>
    h(
      'button',
      {
        class: 'chip',
        hook: 'starter',
        attributes: { type: 'button' },
        on: {
          click: () => {
            onPick(`${say(key)} `);
          },
        },
      },
      `${say(key)}…`,
    ),
  );
  return h(
    'section',
    { class: 'suggestions starters', hook: 'starters' },
    h('h3', { class: 'label' }, say('startersTitle')),
    h('div', { class: 'chips' }, ...beginnings),
  );
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
      return say('errorOffline');
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

/** Asks whether the guide helped; gives way to thanks once answered. */
export function rating(say: Speaker, onRate: (isDone: boolean) => void): HTMLElement {
  const card = h('div', { class: 'bubble rating', hook: 'rating' });
  const answer = (isDone: boolean) => {
    card.replaceChildren(h('p', { hook: 'rated' }, say(isDone ? 'ratedYes' : 'ratedNo')));
    onRate(isDone);
  };
  const choice = (isDone: boolean) =>
    h(
      'button',
      {
        class: 'button quiet',
        hook: isDone ? 'rate-up' : 'rate-down',
        attributes: { type: 'button' },
        on: {
          click: () => {
            answer(isDone);
          },
        },
      },
      icon(isDone ? 'thumbUp' : 'thumbDown'),
      say(isDone ? 'rateYes' : 'rateNo'),
    );
  card.append(
    h('p', { class: 'answer-title' }, say('rateQuestion')),
    h('div', { class: 'choices' }, choice(true), choice(false)),
  );
  return card;
}

/** The published guides of the page, each one a click away. */
export function guideList(guides: GuideSummary[], say: Speaker, onStart: (tourId: string) => void): HTMLElement {
  const items = guides.map((guide) =>
    h(
      'li',
      {},
      h(
        'button',
        {
          class: 'guide',
          hook: 'guide',
          attributes: { type: 'button', 'data-tour': guide.tour_id },
          on: {
            click: () => {
              onStart(guide.tour_id);
            },
          },
        },
        h('span', { class: 'guide-icon' }, icon('play')),
        h('span', { class: 'guide-title' }, guide.title),
        h(
          'span',
          { class: 'guide-steps' },
          guide.steps_count === 1 ? say('stepsOne') : say('stepsMany', { count: guide.steps_count }),
        ),
      ),
    ),
  );
  return h(
    'section',
    { class: 'guides', hook: 'guides' },
    h('h3', { class: 'label' }, say('guidesTitle')),
    h('ul', {}, ...items),
  );
}
