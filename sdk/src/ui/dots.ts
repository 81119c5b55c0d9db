import { h } from './element';

/** Three dots that say "working on it". Decoration: the sentence beside them is what is read aloud. */
export function dots(): HTMLElement {
  return h('span', { class: 'dots', attributes: { 'aria-hidden': 'true' } }, h('i'), h('i'), h('i'));
}
