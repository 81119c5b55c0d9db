/** What stands below the conversation: ways to begin, guides of the page, earlier questions. */
import type { GuideSummary } from '../api/wire';
import { h } from '../ui/element';
import { icon, type IconName } from '../ui/icons';
import { chips, type Speaker } from './cards';

/** Beginnings of questions, for whoever does not know what to ask yet. */
export function starters(say: Speaker, onPick: (beginning: string) => void): HTMLElement {
  const beginnings = (['starterAdd', 'starterFind', 'starterChange'] as const).map((key) => `${say(key)}…`);
  return h(
    'section',
    { class: 'suggestions starters', hook: 'starters' },
    h('h3', { class: 'label' }, say('startersTitle')),
    chips(beginnings, 'starter', (text) => {
      onPick(text.replace('…', ' '));
    }),
  );
}

/** What else one may ask about on this page. */
export function pageSuggestions(goals: string[], say: Speaker, onPick: (goal: string) => void): HTMLElement {
  return h(
    'section',
    { class: 'suggestions starters', hook: 'page-suggestions' },
    h('h3', { class: 'label' }, say('suggestionsTitle')),
    chips(goals, 'page-suggestion', onPick),
  );
}

/** The published guides of the page, each one a click away. */
export function guideList(guides: GuideSummary[], say: Speaker, onStart: (tourId: string) => void): HTMLElement {
  const rows = guides.map((guide) =>
    row(
      'guide',
      'play',
      guide.title,
      () => {
        onStart(guide.tour_id);
      },
      h(
        'span',
        { class: 'guide-steps' },
        guide.steps_count === 1 ? say('stepsOne') : say('stepsMany', { count: guide.steps_count }),
      ),
    ),
  );
  return list('guides', say('guidesTitle'), rows);
}

/** What was asked in this tab, to be asked again. */
export function historyList(
  questions: readonly string[],
  say: Speaker,
  onAsk: (question: string) => void,
): HTMLElement {
  const rows = questions.map((question) =>
    row('past-question', 'clock', question, () => {
      onAsk(question);
    }),
  );
  return list('history', say('historyTitle'), rows);
}

function list(hook: string, title: string, rows: HTMLElement[]): HTMLElement {
  return h('section', { class: 'guides', hook }, h('h3', { class: 'label' }, title), h('ul', {}, ...rows));
}

function row(
  hook: string,
  sign: IconName,
  text: string,
  click: () => void,
  aside: HTMLElement | null = null,
): HTMLElement {
  return h(
    'li',
    {},
    h(
      'button',
      { class: 'guide', hook, attributes: { type: 'button' }, on: { click } },
      h('span', { class: 'guide-icon' }, icon(sign)),
      h('span', { class: 'guide-title' }, text),
      aside,
    ),
  );
}
