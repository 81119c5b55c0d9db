/** What the popup and the options page are made of. */
import { h } from '../../sdk/src/ui/element';
import { icon } from '../../sdk/src/ui/icons';
import type { Access } from './state';
import type { Say, Text } from './texts';

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

export function heading(level: 'h1' | 'h2', text: string): HTMLElement {
  return h(level, {}, text);
}

export function mark(): HTMLElement {
  return h('span', { class: 'mark' }, icon('mark'));
}

/** A sentence that says how things stand. */
export function notice(tone: Tone, ...children: (Node | string | null)[]): HTMLElement {
  const sign = { good: icon('check'), warn: icon('alert'), bad: icon('alert'), plain: null }[tone];
  return h('div', { class: `notice ${tone}`, hook: 'notice' }, sign, h('div', { class: 'words' }, ...children));
}

export function button(hook: string, text: string, click: () => void, kind: 'main' | 'quiet' | 'plain' = 'main') {
  return h('button', { class: `button ${kind}`, hook, attributes: { type: 'button' }, on: { click } }, text);
}

/** A link that opens a tab of its own. */
export function outward(hook: string, text: string, href: string): HTMLElement {
  return h(
    'a',
    { class: 'outward', hook, attributes: { href, target: '_blank', rel: 'noopener' } },
    text,
    icon('external'),
  );
}

/** Where an administrator adds origins to a key. */
export function keysLink(say: Say<Text>, access: Access): HTMLElement {
  return outward('keys-link', say('keysLink'), `${access.server}/admin/organizations/sdkkey/`);
}

/** A labelled field with a word of help below it. */
export function field(hook: string, label: string, input: HTMLElement, help: string): HTMLElement {
  input.id = hook;
  input.setAttribute('data-circuy', hook);
  if (help !== '') {
    input.setAttribute('aria-describedby', `${hook}-help`);
  }
  return h(
    'div',
    { class: 'field' },
    h('label', { attributes: { for: hook } }, label),
    input,
    help === '' ? null : h('p', { class: 'help', attributes: { id: `${hook}-help` } }, help),
  );
}

/** Where sentences that come later are put: screen readers say them. */
export function status(): HTMLElement {
  return h('div', { class: 'status', attributes: { role: 'status' } });
}

/** The page's own element for its content, emptied and filled. */
export function fill(lang: string, title: string, ...children: (Node | null)[]): void {
  document.documentElement.lang = lang;
  document.title = title;
  document.querySelector('main')?.replaceChildren(...children.filter((child) => child !== null));
}
