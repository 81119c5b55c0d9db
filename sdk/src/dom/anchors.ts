import type { Environment } from './environment';
import { isOwnTag } from './own_ui';
import { inputType } from './roles';

/** So many elements inside a control without a box of its own are looked at. */
const MOST_INSIDE = 20;
const DRAWN_BY_LABELS = new Set(['checkbox', 'radio', 'file']);

/**
 * Where people see `control` and act on it: the control itself; its label, for what a label draws (custom checkboxes,
 * upload buttons); or what is inside it, for a link around a floating picture. Null when nothing of it is on screen.
 */
export function anchorOf(env: Environment, control: Element, labels: readonly Element[]): Element | null {
  const isShown = isOnScreen(env, control);
  // Only what a label can stand for: other things are see-through until the pointer comes, or lie over what is seen.
  const type = env.tag(control) === 'input' ? inputType(env, control) : '';
  const isSeeThrough = isShown && DRAWN_BY_LABELS.has(type) && env.style(control).opacity === '0';
  if (isShown && !isSeeThrough) {
    return control;
  }
  for (const label of labels) {
    if (isOnScreen(env, label)) {
      return label;
    }
  }
  if (isSeeThrough) {
    return type === 'file' ? control : null;
  }
  return boxInside(env, control);
}

/** Whether people can see `element` where it is, and it is the page's and not ours. */
export function isOnScreen(env: Environment, element: Element): boolean {
  return env.isRendered(element) && env.hasBox(element) && !isOwnTag(env.tag(element));
}

function boxInside(env: Environment, element: Element): Element | null {
  if (!env.isRendered(element) && env.style(element).display !== 'contents') {
    return null;
  }
  const waiting: Element[] = [element];
  for (let looked = 0; looked < waiting.length && looked < MOST_INSIDE; looked += 1) {
    const current = waiting[looked];
    for (let child = current && env.firstElement(current); child; child = env.nextElement(child)) {
      if (isOnScreen(env, child)) {
        return child;
      }
      waiting.push(child);
    }
  }
  return null;
}
