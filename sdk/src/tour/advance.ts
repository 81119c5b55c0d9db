/** When what people do on the page itself takes them to the next step. */
import type { Step } from '../api/wire';
import type { Environment } from '../dom/environment';
import { treesAround } from '../ui/box';

/** A step may say what is waited for on its target; without a word of it, pressing what is made to be pressed counts. */
export type AdvancingStep = Step & { advanceOn?: { event: string } | null };

const EVENTS = new Set(['click', 'input', 'change']);
const PRESSED_TAGS = new Set(['button', 'summary']);
const PRESSED_ROLES = new Set(['button', 'link', 'tab', 'menuitem', 'option', 'treeitem']);
const PRESSED_INPUTS = new Set(['submit', 'button', 'reset', 'image']);

/** What on `target` advances this step; null when only the buttons do. */
export function advancingEvent(env: Environment, step: AdvancingStep, target: Element): string | null {
  if (step.advanceOn !== undefined && step.advanceOn !== null) {
    return EVENTS.has(step.advanceOn.event) ? step.advanceOn.event : null;
  }
  return isPressed(env, target) ? 'click' : null;
}

/**
 * Calls `onDone` when the user does `event` on `target` or in it, until `signal` is aborted. What scripts do by themselves
 * does not count. Listens on the window, before the page's own listeners may stop the event.
 */
export function whenDone(
  env: Environment,
  target: Element,
  event: string,
  onDone: () => void,
  signal: AbortSignal,
): void {
  const listener = (happened: Event) => {
    if (happened.isTrusted && happened.composedPath().includes(target)) {
      onDone();
    }
  };
  for (const view of windowsAround(env, target)) {
    view.addEventListener(event, listener, { capture: true, signal });
  }
}

/** The windows that `element` is in: its frame's, those around it, the page's. */
export function windowsAround(env: Environment, element: Element): Window[] {
  const views = treesAround(env, element).map((tree) => (tree as Partial<Document>).defaultView ?? null);
  return views.filter((view) => view !== null);
}

function isPressed(env: Environment, target: Element): boolean {
  const tag = env.tag(target);
  if (tag === 'input') {
    return PRESSED_INPUTS.has(env.attribute(target, 'type')?.toLowerCase() ?? '');
  }
  const role = env.attribute(target, 'role')?.trim().toLowerCase() ?? '';
  return role === ''
    ? PRESSED_TAGS.has(tag) || (tag === 'a' && env.attribute(target, 'href') !== null)
    : PRESSED_ROLES.has(role);
}
