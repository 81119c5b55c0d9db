/**
 * Whose words an element holds. Those of the page's author may leave the page; those that its user wrote or chose, and
 * those that its author keeps on the page, may not.
 */
import type { Environment } from './environment';
import { isEditable, roleOf } from './roles';

const MARKS = ['data-circuy-mask', 'data-circuy-ignore'];

/** Elements whose content or value is what people typed, chose or were told. */
const HOLDS_VALUE = new Set(['input', 'textarea', 'select', 'datalist', 'output', 'meter', 'progress']);
const HOLDS_VALUE_ROLES = new Set([
  'textbox',
  'searchbox',
  'combobox',
  'listbox',
  'slider',
  'spinbutton',
  'scrollbar',
  'meter',
  'progressbar',
]);

/** Whether the page's author marked the element with `data-circuy-mask` or `data-circuy-ignore`: no word of it is ours. */
export function isKeptPrivate(env: Environment, element: Element): boolean {
  return MARKS.some((mark) => env.attribute(element, mark) !== null);
}

/** Whether the element, or a part that it is in, is kept private, or stands where people write. */
export function isInPrivatePart(env: Environment, element: Element): boolean {
  let isIsland = false;
  for (let current: Element | null = element; current !== null; current = env.parent(current)) {
    if (isKeptPrivate(env, current)) {
      return true;
    }
    // What an editor says of itself is its author's; so is a part of it where nobody writes, such as its toolbar.
    const isMarked = env.attribute(current, 'contenteditable') !== null;
    if (current !== element && !isIsland && isMarked && isEditable(env, current)) {
      return true;
    }
    isIsland ||= isMarked;
  }
  return false;
}

/** Whether the element is part of a control's value: the chosen option, the text in a list that a script draws. */
export function isInValue(env: Environment, element: Element): boolean {
  for (let current = env.parent(element); current !== null; current = env.parent(current)) {
    if (holdsValue(env, current)) {
      return true;
    }
  }
  return false;
}

/** Whether what is in the element, or in its value, is what people typed, chose or were told. */
export function holdsValue(env: Environment, element: Element): boolean {
  return (
    isValueTag(env.tag(element)) || isEditable(env, element) || holdsChosenValue(env, element, roleOf(env, element))
  );
}

/** The same for a tag alone. */
export function isValueTag(tag: string): boolean {
  return HOLDS_VALUE.has(tag);
}

/**
 * Whether the element, whose role is `role`, is a control that a script draws: such scripts (select2, Headless UI and
 * others) write the chosen value into its content and its `title`.
 */
export function holdsChosenValue(env: Environment, element: Element, role: string | null): boolean {
  const isDrawn =
    (role !== null && HOLDS_VALUE_ROLES.has(role)) ||
    env.attribute(element, 'aria-haspopup')?.trim().toLowerCase() === 'listbox';
  return isDrawn && !isValueTag(env.tag(element));
}
