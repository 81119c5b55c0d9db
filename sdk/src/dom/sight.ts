/** What is seen of an element, where the browser's own answer is about boxes: `display: contents` takes the box away. */
import type { Environment } from './environment';

/** Which parts of an element speak: those on screen; those that will be when it is opened; all, for it is referred to. */
export type Sight = 'shown' | 'closed' | 'all';

/** Whether `element` is on screen, or in a part that is closed. */
export function sightOf(env: Environment, element: Element): 'shown' | 'closed' {
  for (let current = element; ;) {
    if (env.isRendered(current)) {
      return 'shown';
    }
    const around = env.parent(current) ?? hostAround(env, current);
    if (!isBoxless(env, current) || around === null || isShut(env, around, current)) {
      return 'closed';
    }
    current = around;
  }
}

/** Whether the element takes no room itself and lets its content be seen, where its parent is seen. */
export function isBoxless(env: Environment, element: Element): boolean {
  const style = env.style(element);
  return style.display === 'contents' && style.visibility === 'visible';
}

/** Whether `around` may be seen and `child`, for being in it, not. */
function isShut(env: Environment, around: Element, child: Element): boolean {
  const isUnfolded = env.tag(around) !== 'details' || env.attribute(around, 'open') !== null;
  return (
    !(isUnfolded || env.tag(child) === 'summary') ||
    env.style(around).getPropertyValue('content-visibility') === 'hidden'
  );
}

function hostAround(env: Environment, element: Element): Element | null {
  const tree = env.treeOf(element);
  return tree === null ? null : env.hostOf(tree);
}
