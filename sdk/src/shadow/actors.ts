/** What an event is about: people press the icon in a button, and mean the button. */
import type { Environment } from '../dom/environment';
import { kindOf, type Kept } from '../dom/kinds';
import { isOwnTag } from '../dom/own_ui';
import { inputType, isEditable, roleOf } from '../dom/roles';

const TOGGLED_ROLES = new Set(['checkbox', 'switch', 'radio', 'menuitemcheckbox']);
const PICKED_ROLES = new Set(['option', 'menuitemradio', 'treeitem']);
/** What is pressed in a list is an item of it, whichever of the two says that it can be pressed. */
const LISTS = new Set(['ul', 'ol', 'menu', 'dl', 'table', 'tbody']);
const ITEMS = new Set(['li', 'dt', 'dd', 'tr']);
/** A word in a few: what holds more is a part of the page and not a thing to press. */
const LONGEST_PRESSED = 200;

export interface Actor {
  element: Element;
  kind: Kept | null;
}

/** Whether the event happened in our own interface. */
export function isOwn(env: Environment, path: readonly EventTarget[]): boolean {
  return path.some((one) => isElement(env, one) && isOwnTag(env.tag(one)));
}

/** The innermost element of the event, and the one that people act on. Null when it happened nowhere. */
export function actorOf(env: Environment, path: readonly EventTarget[]): Actor | null {
  const elements = path.filter((one) => isElement(env, one));
  const [innermost] = elements;
  if (innermost === undefined) {
    return null;
  }
  for (const element of elements) {
    const found = acted(env, element);
    if (found !== null) {
      return found;
    }
  }
  return { element: outermostPointed(env, innermost) ?? innermost, kind: null };
}

/** Whether an option of a list that the page draws is picked there. */
export function isPicked(env: Environment, element: Element): boolean {
  return PICKED_ROLES.has(roleOf(env, element) ?? '');
}

/** Whether people write in it. */
export function isWritten(env: Environment, element: Element): boolean {
  const tag = env.tag(element);
  if (tag !== 'input') {
    return tag === 'textarea' || isEditable(env, element);
  }
  const type = inputType(env, element);
  return !['button', 'submit', 'reset', 'image', 'checkbox', 'radio', 'file', 'hidden'].includes(type);
}

/** Whether its state is told by a `change` of its own, so that a click on it says nothing more. */
export function isChanged(env: Environment, element: Element): boolean {
  const tag = env.tag(element);
  return (
    tag === 'select' ||
    tag === 'option' ||
    (tag === 'input' && ['checkbox', 'radio', 'file', 'range', 'color'].includes(inputType(env, element)))
  );
}

/** Whether the browser itself makes a click of Enter or Space on it. */
export function isPressedByKey(env: Environment, element: Element): boolean {
  const tag = env.tag(element);
  return (
    ['button', 'summary', 'select', 'option'].includes(tag) ||
    (tag === 'a' && env.attribute(element, 'href') !== null) ||
    (tag === 'input' && !isWritten(env, element))
  );
}

/** Whether it is a box that a script draws: it is ticked and unticked. */
export function isToggled(env: Environment, element: Element): boolean {
  return env.tag(element) !== 'input' && TOGGLED_ROLES.has(roleOf(env, element) ?? '');
}

/** Whether it is a link to another page. */
export function leadsAway(env: Environment, element: Element): boolean {
  return env.tag(element) === 'a' && !/^(?:#|javascript:|$)/i.test(env.attribute(element, 'href') ?? '');
}

export function isGone(env: Environment, element: Element): boolean {
  return !element.isConnected || !env.isRendered(element);
}

/** The field that an event of writing happened in: the whole editor, not the paragraph. */
export function fieldOf(env: Environment, path: readonly EventTarget[]): Element | null {
  const elements = path.filter((one) => isElement(env, one));
  const [innermost] = elements;
  if (innermost === undefined) {
    return null;
  }
  if (isWritten(env, innermost) && !isEditable(env, innermost)) {
    return innermost;
  }
  const page = env.documentOf(innermost);
  const designed = page !== null && env.isDesigned(page) ? page.body : null;
  return elements.filter((one) => isEditable(env, one)).at(-1) ?? designed;
}

function acted(env: Environment, element: Element): Actor | null {
  if (env.tag(element) === 'label') {
    const control = env.controlOf(element);
    return control === null ? null : { element: control, kind: kindOf(env, control) };
  }
  const kind = kindOf(env, element);
  const isPressable =
    kind?.isInteractive === true && (kind.guess !== 'pointed' || env.style(element).cursor === 'pointer');
  // A link without an address is one that a script answers to.
  if (!isPressable && env.tag(element) !== 'a') {
    return null;
  }
  if (LISTS.has(env.tag(element))) {
    return null;
  }
  const isPart = (kind === null || kind.guess !== undefined) && env.allText(element).trim().length > LONGEST_PRESSED;
  return isPart ? null : { element, kind };
}

/** The whole of what the pointer says can be pressed, where no attribute does. */
function outermostPointed(env: Environment, innermost: Element): Element | null {
  let found: Element | null = null;
  for (let current: Element | null = innermost; current !== null; current = env.parent(current)) {
    if (env.style(current).cursor !== 'pointer' || env.allText(current).trim().length > LONGEST_PRESSED) {
      break;
    }
    found = current;
    if (ITEMS.has(env.tag(current))) {
      break;
    }
  }
  return found;
}

function isElement(env: Environment, target: EventTarget): target is Element {
  return 'nodeType' in target && env.isElement(target as Node);
}
