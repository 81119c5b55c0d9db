/** Modal dialogs of the page: what is not in one of them cannot be used while it is open. */
import type { Environment } from '../dom/environment';

/** Those that the browser makes modal, and those that only say so. */
export const MODAL = 'dialog:modal, [aria-modal="true"]';

/**
 * The nearest modal dialog around `element`, also when it is in a shadow root or a frame inside that dialog; or `wanted`,
 * if it is one of those around it. Only dialogs of the page itself: one inside a frame is modal there alone.
 */
export function modalAround(env: Environment, element: Element, wanted?: Element): Element | null {
  for (let inner: Element | null = element; inner !== null;) {
    for (let modal = closest(inner); modal !== null; modal = closest(env.parent(modal))) {
      if (modal.ownerDocument === document && (wanted === undefined || modal === wanted)) {
        return modal;
      }
    }
    const tree = env.treeOf(inner);
    inner = tree === null ? null : env.hostOf(tree);
  }
  return null;
}

/**
 * The last one of the document that is shown: of those opened with `showModal()`, which stand before all others unless they
 * nest; or of `which`.
 */
export function lastModal(which = 'dialog:modal'): Element | null {
  return [...document.querySelectorAll(which)].filter((one) => one.getClientRects().length > 0).at(-1) ?? null;
}

function closest(element: Element | null): Element | null {
  return element === null ? null : Element.prototype.closest.call(element, MODAL);
}
