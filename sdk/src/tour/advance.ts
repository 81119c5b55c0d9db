/** When what people do on the page itself takes them to the next step. */
import type { Step } from '../api/wire';
import type { Environment } from '../dom/environment';
import { treesAround } from '../ui/box';

const PRESSED_TAGS = new Set(['button', 'summary']);
const PRESSED_ROLES = new Set(['button', 'link', 'tab', 'menuitem', 'option', 'treeitem']);
const PRESSED_INPUTS = new Set(['submit', 'button', 'reset', 'image']);

/**
 * What on `target` advances this step: what the step says; without a word of it, a press of what is made to be pressed.
 * Null when only the buttons do: a key that is typed is never the last one.
 */
export function advancingEvent(env: Environment, { advanceOn }: Step, target: Element): string | null {
  const event: string = advanceOn?.event ?? (isPressed(env, target) ? 'click' : '');
  return event === 'click' || event === 'change' ? event : null;
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
