/** What people act in and we cannot see: better said at once than found missing at the end. */
import type { Environment } from '../dom/environment';
import { roleOf, WIDGET_ROLES } from '../dom/roles';
import type { Blindness } from './wire';

const FOCUSABLE = ['tabindex', 'contenteditable'];

/** Whether `innermost`, where an event seems to have happened, hides where it did. */
export function blindnessAt(env: Environment, innermost: Element): Blindness | null {
  const tag = env.tag(innermost);
  if (tag === 'canvas') {
    return WIDGET_ROLES.has(roleOf(env, innermost) ?? '') ? null : 'canvas';
  }
  if (tag === 'iframe') {
    return isForeign(env, innermost) ? 'cross_origin_frame' : null;
  }
  return isClosed(env, innermost, tag) ? 'closed_shadow' : null;
}

/** The frame of another site that has the focus in this document, if one has. */
export function foreignFrameIn(env: Environment, page: Document): Element | null {
  const active = page.activeElement;
  return active !== null && env.tag(active) === 'iframe' && isForeign(env, active) ? active : null;
}

function isForeign(env: Environment, frame: Element): boolean {
  return env.framedDocument(frame) === null;
}

/** A component that shows something and has nothing in it, or holds the focus without being able to. */
function isClosed(env: Environment, element: Element, tag: string): boolean {
  if (env.shadowOf(element) !== null) {
    return false;
  }
  const isComponent = tag.includes('-');
  const isFocused =
    env.documentOf(element)?.activeElement === element &&
    !FOCUSABLE.some((name) => env.attribute(element, name) !== null);
  return isComponent ? isFocused || env.allText(element).trim() === '' : isFocused && isPlain(tag);
}

function isPlain(tag: string): boolean {
  return ['div', 'span', 'section', 'article', 'main', 'p'].includes(tag);
}
