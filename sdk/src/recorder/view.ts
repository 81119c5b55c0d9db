import type { A11yNode } from '../api/wire';
import type { Say } from '../core/locale';
import type { RecorderMessageKey } from '../core/recorder_messages';
import { examplesOf } from '../core/routes';
import type { Kind } from '../dom/kinds';
import type { Scan } from '../dom/scanner';
import { dots } from '../ui/dots';
import { h } from '../ui/element';
import { icon } from '../ui/icons';

type Speaker = Say<RecorderMessageKey>;

const KINDS: Kind[] = ['field', 'choice', 'button', 'link', 'heading', 'form', 'other'];

/** How many elements of each kind the scan holds. */
export function kindCounts(scan: Scan, say: Speaker): HTMLElement {
  const counts = new Map<Kind, number>();
  for (const kind of scan.kinds.values()) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const tiles = KINDS.flatMap((kind) => {
    const count = counts.get(kind) ?? 0;
    return count === 0
      ? []
      : [
          h(
            'li',
            { class: 'tile', attributes: { 'data-kind': kind } },
            h('strong', {}, String(count)),
            h('span', {}, say(count === 1 ? `one_${kind}` : `many_${kind}`)),
          ),
        ];
  });
  return h('ul', { class: 'tiles', hook: 'kinds' }, ...tiles);
}

/** What was masked, and what will be missing; `skipped` counts the organization's masks that could not be used here. */
export function scanNotes(scan: Scan, skipped: number, say: Speaker): HTMLElement {
  const key = scan.masked === 0 ? 'maskedNone' : scan.masked === 1 ? 'maskedOne' : 'maskedMany';
  return h(
    'div',
    { class: 'notes' },
    h(
      'p',
      { class: 'note good', hook: 'masked', attributes: { 'data-count': String(scan.masked) } },
      icon('shield'),
      h('span', {}, say(key, { count: scan.masked })),
    ),
    skipped > 0
      ? warning('masks-skipped', say(skipped === 1 ? 'masksSkippedOne' : 'masksSkippedMany', { count: skipped }))
      : null,
    scan.truncated ? warning('truncated', say('truncated', { count: scan.payload.nodes.length })) : null,
    scan.failed > 0
      ? warning('failed', say(scan.failed === 1 ? 'failedOne' : 'failedMany', { count: scan.failed }))
      : null,
  );
}

function warning(hook: string, text: string): HTMLElement {
  return h('p', { class: 'note warn', hook }, icon('alert'), h('span', {}, text));
}

/** The elements by number and name; choosing one shows it on the page. */
export function nodeList(scan: Scan, say: Speaker, onPick: (id: string) => void): HTMLElement {
  const items = scan.payload.nodes.map((node, i) => nodeItem(node, i + 1, scan, say, onPick));
  return h('ol', { class: 'nodes', hook: 'nodes', attributes: { 'aria-label': say('list') } }, ...items);
}

function nodeItem(node: A11yNode, number: number, scan: Scan, say: Speaker, onPick: (id: string) => void): HTMLElement {
  const name = node.label ?? node.placeholder ?? node.name ?? '';
  const kind = scan.kinds.get(node.id) ?? 'other';
  return h(
    'li',
    {},
    h(
      'button',
      {
        class: 'node',
        hook: 'node',
        attributes: { type: 'button', 'data-node': node.id, title: node.selector },
        on: {
          click: () => {
            onPick(node.id);
          },
        },
      },
      h('span', { class: 'number' }, String(number)),
      h('span', { class: name === '' ? 'node-name unnamed' : 'node-name' }, name === '' ? say('unnamed') : name),
      node.state?.closed === true ? h('span', { class: 'tag' }, say('closed')) : null,
      h('span', { class: 'tag' }, say(`one_${kind}`)),
    ),
  );
}

/** A labelled field of the form. */
export function formField(
  id: string,
  label: string,
  value: string,
  hook: string,
  help: HTMLElement | null,
): { row: HTMLElement; input: HTMLInputElement } {
  const input = h('input', {
    class: 'input',
    hook,
    attributes: {
      id,
      type: 'text',
      autocomplete: 'off',
      spellcheck: 'false',
      maxlength: '255',
      ...(help === null ? {} : { 'aria-describedby': help.id }),
    },
  });
  input.value = value;
  return { row: h('div', { class: 'form-row' }, h('label', { attributes: { for: id } }, label), input, help), input };
}

/** Says which pages `pattern` covers, or that it does not cover this one. */
export function describeCoverage(pattern: string, path: string, say: Speaker): { text: string; isGood: boolean } {
  const examples = examplesOf(pattern, path);
  return examples.length === 0
    ? { text: say('coversNot', { path }), isGood: false }
    : { text: say('covers', { examples: examples.join(', ') }), isGood: true };
}

/** The other way to teach: showing a task. */
export function talkCard(say: Speaker, talk: () => void): HTMLElement {
  const button = h(
    'button',
    {
      class: 'button quiet',
      hook: 'talk',
      attributes: { type: 'button', 'aria-describedby': 'circuy-talk' },
      on: { click: talk },
    },
    say('talk'),
  );
  return h('div', { class: 'talk' }, h('p', { attributes: { id: 'circuy-talk' } }, say('talkHelp')), button);
}

export type Tone = 'working' | 'good' | 'bad';

/** One line on how the sending goes, with what to do next. */
export function statusLine(tone: Tone, text: string, ...more: HTMLElement[]): HTMLElement {
  const mark = tone === 'working' ? dots() : icon(tone === 'good' ? 'check' : 'alert');
  return h(
    'div',
    { class: `status ${tone}`, hook: 'recorder-status', attributes: { 'data-tone': tone } },
    mark,
    h('div', { class: 'status-text' }, h('p', {}, text), ...more),
  );
}
