import type { Environment } from './environment';
import { TEST_ID_ATTRIBUTES } from './attributes';
import { inputType, isEditable, roleOf, WIDGET_ROLES } from './roles';

/** What an element is for people: the recorder counts by it. */
export type Kind = 'field' | 'choice' | 'button' | 'link' | 'heading' | 'form' | 'other';

const CHOICE_ROLES = new Set(['checkbox', 'radio', 'switch', 'combobox', 'listbox', 'option', 'slider']);
const FIELD_ROLES = new Set(['textbox', 'searchbox', 'spinbutton']);
const TOGGLES = ['data-toggle', 'data-bs-toggle', 'data-dismiss', 'data-bs-dismiss'];

/** Plain elements whose class says that they are pressed: what the style sheet says of the pointer decides. */
const BUTTON_LIKE = /btn|button|click|pointer/i;

const TAGS = new Set([
  'button',
  'input',
  'select',
  'textarea',
  'summary',
  'form',
  'iframe',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
]);
const ATTRIBUTES = new Set(['role', 'tabindex', 'onclick', 'contenteditable', ...TOGGLES, ...TEST_ID_ATTRIBUTES]);

/**
 * Whether an element with these attributes may matter: every one that `kindOf` keeps does, and those that say where others
 * stand (headings, trees inside the page). Cheap: it is asked of every element of a page.
 */
export function mayMatter(env: Environment, element: Element, tag: string, names: readonly string[]): boolean {
  if (TAGS.has(tag)) {
    return true;
  }
  for (const name of names) {
    if (ATTRIBUTES.has(name) || (name === 'href' && (tag === 'a' || tag === 'area'))) {
      return true;
    }
    if (name === 'class' && BUTTON_LIKE.test(env.attribute(element, 'class') ?? '')) {
      return true;
    }
  }
  return false;
}

/** What a scan needs to know of an element that it keeps. */
export interface Kept {
  kind: Kind;
  isInteractive: boolean;
  /**
   * It only seems to be something to press. "named": it is one if it says in a few words what it does; "pointed": and if
   * the pointer says so over it.
   */
  guess?: 'named' | 'pointed';
}

const HEADING: Kept = { kind: 'heading', isInteractive: false };
const FORM: Kept = { kind: 'form', isInteractive: false };
const FIELD: Kept = { kind: 'field', isInteractive: true };
const CHOICE: Kept = { kind: 'choice', isInteractive: true };
const BUTTON: Kept = { kind: 'button', isInteractive: true };
const LINK: Kept = { kind: 'link', isInteractive: true };
const OTHER: Kept = { kind: 'other', isInteractive: false };
const NAMED: Kept = { kind: 'button', isInteractive: true, guess: 'named' };
const POINTED: Kept = { kind: 'button', isInteractive: true, guess: 'pointed' };

/** The kind of an element that a scan keeps; null for all others. */
export function kindOf(env: Environment, element: Element): Kept | null {
  const tag = env.tag(element);
  switch (tag) {
    case 'h1':
    case 'h2':
    case 'h3':
      return HEADING;
    case 'form':
      return FORM;
    case 'select':
      return CHOICE;
    case 'textarea':
      return FIELD;
    case 'input': {
      const type = inputType(env, element);
      return type === 'hidden' ? null : inputKind(env, element, type);
    }
    default:
      return byRole(env, element, tag) ?? byBehaviour(env, element);
  }
}

function byRole(env: Environment, element: Element, tag: string): Kept | null {
  const role = roleOf(env, element);
  if (role !== null && WIDGET_ROLES.has(role)) {
    if (CHOICE_ROLES.has(role)) {
      return CHOICE;
    }
    if (FIELD_ROLES.has(role)) {
      return FIELD;
    }
    return role === 'link' ? LINK : BUTTON;
  }
  return tag === 'button' || tag === 'summary' ? BUTTON : null;
}

/** A plain element that a script has made a button of: sortable column heads, icons that unfold something. */
function byBehaviour(env: Environment, element: Element): Kept | null {
  if (isEditable(env, element)) {
    return FIELD;
  }
  if (TOGGLES.some((name) => env.attribute(element, name) !== null)) {
    return BUTTON;
  }
  const order = env.attribute(element, 'tabindex');
  if (env.attribute(element, 'onclick') !== null || (order !== null && /^\s*[0-9]/.test(order))) {
    return NAMED;
  }
  if (TEST_ID_ATTRIBUTES.some((name) => env.attribute(element, name) !== null)) {
    return OTHER;
  }
  return BUTTON_LIKE.test(env.attribute(element, 'class') ?? '') ? POINTED : null;
}

function inputKind(env: Environment, element: Element, type: string): Kept {
  if (type === 'button' || type === 'submit' || type === 'reset' || type === 'image') {
    return BUTTON;
  }
  const isChoice = ['checkbox', 'radio', 'range', 'color', 'file'].includes(type);
  return isChoice || env.attribute(element, 'list') !== null ? CHOICE : FIELD;
}
