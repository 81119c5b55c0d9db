import type { Environment } from './environment';
import { TEST_ID_ATTRIBUTES } from './page_index';
import { inputType, roleOf, WIDGET_ROLES } from './roles';

/** What an element is for people: the recorder counts by it. */
export type Kind = 'field' | 'choice' | 'button' | 'link' | 'heading' | 'form' | 'other';

const CHOICE_ROLES = new Set(['checkbox', 'radio', 'switch', 'combobox', 'listbox', 'slider']);
const FIELD_ROLES = new Set(['textbox', 'searchbox', 'spinbutton']);
const HEADINGS = new Set(['h1', 'h2', 'h3']);

/** What a scan needs to know of an element that it keeps. */
export interface Kept {
  kind: Kind;
  isInteractive: boolean;
  /** It only seems to be something to press: it is one if it says in a few words what it does. */
  isGuess?: true;
}

/** The kind of an element that a scan keeps; null for all others. */
export function kindOf(env: Environment, element: Element): Kept | null {
  const tag = env.tag(element);
  if (HEADINGS.has(tag)) {
    return { kind: 'heading', isInteractive: false };
  }
  if (tag === 'form') {
    return { kind: 'form', isInteractive: false };
  }
  if (tag === 'input') {
    const type = inputType(env, element);
    return type === 'hidden' ? null : { kind: inputKind(env, element, type), isInteractive: true };
  }
  const role = roleOf(env, element);
  if (tag === 'select' || (role !== null && CHOICE_ROLES.has(role) && WIDGET_ROLES.has(role))) {
    return { kind: 'choice', isInteractive: true };
  }
  if (tag === 'textarea' || (role !== null && FIELD_ROLES.has(role))) {
    return { kind: 'field', isInteractive: true };
  }
  if (role === 'link') {
    return { kind: 'link', isInteractive: true };
  }
  if (tag === 'button' || tag === 'summary' || (role !== null && WIDGET_ROLES.has(role))) {
    return { kind: 'button', isInteractive: true };
  }
  if (isPressable(env, element)) {
    return { kind: 'button', isInteractive: true, isGuess: true };
  }
  return TEST_ID_ATTRIBUTES.some((name) => env.attribute(element, name) !== null)
    ? { kind: 'other', isInteractive: false }
    : null;
}

/** A plain element that a script has made a button of: sortable column heads, icons that unfold something. */
function isPressable(env: Environment, element: Element): boolean {
  const order = env.attribute(element, 'tabindex');
  return (
    env.attribute(element, 'onclick') !== null ||
    (order !== null && /^\s*[0-9]/.test(order)) ||
    ['data-toggle', 'data-bs-toggle'].some((name) => env.attribute(element, name) !== null)
  );
}

function inputKind(env: Environment, element: Element, type: string): Kind {
  if (['button', 'submit', 'reset', 'image'].includes(type)) {
    return 'button';
  }
  const isChoice = ['checkbox', 'radio', 'range', 'color', 'file'].includes(type);
  return isChoice || env.attribute(element, 'list') !== null ? 'choice' : 'field';
}
