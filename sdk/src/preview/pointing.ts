/** The page's element at a point of the screen, through open shadow roots and same-origin frames, and not ours. */
import type { Environment, Tree } from '../dom/environment';
import { isOwnTag } from '../dom/own_ui';

export interface Point {
  x: number;
  y: number;
}

export function elementAt(env: Environment, point: Point): Element | null {
  let found: Element | null = null;
  let tree: Tree | null = env.page();
  let at = point;
  while (tree !== null) {
    const within: Tree = tree;
    const here: Element | undefined = within
      .elementsFromPoint(at.x, at.y)
      .find((element) => env.treeOf(element) === within && !isOwnTag(env.tag(element)));
    if (here === undefined) {
      break;
    }
    found = here;
    const inner: Document | null = env.tag(here) === 'iframe' ? env.framedDocument(here) : null;
    if (inner !== null) {
      at = inFrame(env, here as HTMLElement, at);
    }
    tree = inner ?? env.shadowOf(here);
  }
  return found;
}

/** Scrolls what `element` is in, the page excepted, as the wheel over it would. False when nothing of it scrolls. */
export function scrollAround(env: Environment, element: Element, byX: number, byY: number): boolean {
  for (let current: Element | null = element; current !== null; current = env.parent(current)) {
    const isRoot = env.parent(current) === null || env.tag(current) === 'body';
    if (isRoot && current.ownerDocument === env.page()) {
      return false;
    }
    const { overflowX, overflowY } = env.style(current);
    const scrolls = isRoot || /auto|scroll/.test(`${overflowX} ${overflowY}`);
    const { scrollLeft, scrollTop } = current;
    if (scrolls) {
      current.scrollBy(byX, byY);
      if (current.scrollLeft !== scrollLeft || current.scrollTop !== scrollTop) {
        return true;
      }
    }
  }
  return false;
}

/** `point` as the document in `frame` counts it. */
function inFrame(env: Environment, frame: HTMLElement, point: Point): Point {
  const outer = frame.getBoundingClientRect();
  const style = env.style(frame);
  const padding = (side: string) => Number.parseFloat(style.getPropertyValue(`padding-${side}`)) || 0;
  const scaleX = frame.offsetWidth === 0 ? 1 : outer.width / frame.offsetWidth;
  const scaleY = frame.offsetHeight === 0 ? 1 : outer.height / frame.offsetHeight;
  return {
    x: (point.x - outer.left) / scaleX - frame.clientLeft - padding('left'),
    y: (point.y - outer.top) / scaleY - frame.clientTop - padding('top'),
  };
}
