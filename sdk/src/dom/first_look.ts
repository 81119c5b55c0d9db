/**
 * What can be said of a target at a glance. A lasting selector that finds one element, called what was learnt, needs no
 * judge; everything else is left to `resolution.ts`, which knows the whole page and weighs a great deal more.
 */
import { attributeSelector } from '../core/css';
import { foldSpaces } from '../core/text';
import type { Environment } from './environment';
import { readFingerprint, wordsHash } from './fingerprint';
import { foundBySelectors, isLasting, matchesOf, only, type Found, type Target } from './matches';

const BUTTON_TYPES = new Set(['submit', 'reset', 'button']);

/** The element when there is no doubt, null when there is none to be found, "unsure" when it takes a judge to say. */
export function firstLook(env: Environment, target: Target, evenOther: boolean): Found | null | 'unsure' {
  const primary = matchesOf(env, target.selector);
  const learnt = readFingerprint(target.fingerprint);
  if (learnt === null) {
    return foundBySelectors(env, target, primary, evenOther);
  }
  const found = isLasting(target.selector) ? only(primary, 'primary') : null;
  return found !== null && learnt.name !== '' && wordsHash(plainName(env, found.element)) === learnt.name
    ? found
    : 'unsure';
}

/** The name of an element where it is plain to see; empty where reading it takes more. */
function plainName(env: Environment, element: Element): string {
  const written = (name: string) => foldSpaces(env.attribute(element, name) ?? '');
  if (env.attribute(element, 'aria-labelledby') !== null) {
    return '';
  }
  const tag = env.tag(element);
  const isField = tag === 'input' || tag === 'select' || tag === 'textarea';
  if (!isField) {
    return written('aria-label') || foldSpaces(env.allText(element)) || written('title');
  }
  if (tag === 'input' && BUTTON_TYPES.has(written('type').toLowerCase())) {
    return written('aria-label') || written('value');
  }
  return written('aria-label') || labelOf(env, element) || written('title') || written('placeholder');
}

function labelOf(env: Environment, field: Element): string {
  const id = env.attribute(field, 'id') ?? '';
  const tree = id === '' ? null : env.treeOf(field);
  const labels = tree === null ? [] : env.select(tree, `label${attributeSelector('for', id)}`);
  return labels.length === 1 && labels[0] !== undefined ? foldSpaces(env.allText(labels[0])) : '';
}
