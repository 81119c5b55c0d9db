import type { Environment, Tree } from '../dom/environment';

/** A place on the screen, in CSS pixels of the page's viewport. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * Where `element` is seen on the page, through the frames that it is in: what a frame has scrolled away is cut off.
 * Null when nothing of it shows.
 */
export function boxOf(env: Environment, element: Element): Box | null {
  let box: Box = Element.prototype.getBoundingClientRect.call(element);
  for (let frame = frameOf(env, element); frame !== null; frame = frameOf(env, frame)) {
    box = throughFrame(env, frame, box);
  }
  return box.width > 0 && box.height > 0 ? box : null;
}

/** The document and the shadow roots that `element` is in, from the innermost out to the page's document. */
export function treesAround(env: Environment, element: Element): Tree[] {
  const trees: Tree[] = [];
  for (let host: Element | null = element; host !== null;) {
    const tree = env.treeOf(host);
    if (tree === null) {
      break;
    }
    trees.push(tree);
    host = env.hostOf(tree);
  }
  return trees;
}

/** The frame whose document `element` is in; null in the page's own. */
function frameOf(env: Environment, element: Element): Element | null {
  for (const tree of treesAround(env, element)) {
    const host = env.hostOf(tree);
    if (host !== null && env.shadowOf(host) !== tree) {
      return host;
    }
  }
  return null;
}

/** `box`, which counts from the corner of the document in `frame`, as it shows in the document around the frame. */
function throughFrame(env: Environment, frame: Element, box: Box): Box {
  const outer = Element.prototype.getBoundingClientRect.call(frame);
  const { offsetWidth, offsetHeight, clientLeft, clientTop, clientWidth, clientHeight } = frame as HTMLElement;
  const style = env.style(frame);
  const padding = (side: string) => Number.parseFloat(style.getPropertyValue(`padding-${side}`)) || 0;
  const right = Math.min(box.left + box.width, clientWidth - padding('left') - padding('right'));
  const bottom = Math.min(box.top + box.height, clientHeight - padding('top') - padding('bottom'));
  const left = Math.max(box.left, 0);
  const top = Math.max(box.top, 0);
  // A frame that the page shows smaller or larger than it is.
  const scaleX = offsetWidth === 0 ? 1 : outer.width / offsetWidth;
  const scaleY = offsetHeight === 0 ? 1 : outer.height / offsetHeight;
  return {
    left: outer.left + (clientLeft + padding('left') + left) * scaleX,
    top: outer.top + (clientTop + padding('top') + top) * scaleY,
    width: Math.max(right - left, 0) * scaleX,
    height: Math.max(bottom - top, 0) * scaleY,
  };
}
