import type { Environment } from '../dom/environment';
import { boxOf, treesAround, type Box } from '../ui/box';
import { prefersReducedMotion } from '../ui/host';

/** Pixels left above a target near the top, for headers that stay there. */
const ROOM_FOR_HEADER = 84;
const ROOM = 16;

/** Where the card is a sheet along an edge of the window; as in `tour.css`. */
const DOCKED = '(width <= 480px), (height <= 420px)';

function isDocked(): boolean {
  return window.matchMedia(DOCKED).matches;
}

/**
 * Brings the target to where it can be seen beside a card of this height: to the middle or, where the window is too low for
 * a card above and below, near the top. A target that is well in sight stays where it is.
 */
export function scrollToTarget(env: Environment, target: HTMLElement, cardHeight: number): void {
  const height = boxOf(env, target)?.height ?? 0;
  const windowHeight = window.innerHeight;
  const scrollIntoView = (options: ScrollIntoViewOptions) => {
    Element.prototype.scrollIntoView.call(target, options);
  };
  if (isDocked()) {
    scrollIntoView({ behavior: 'instant', block: 'nearest', inline: 'nearest' });
    const wanted = Math.max(ROOM, (windowHeight - cardHeight - height) / 2);
    scrollOn(env, target, (boxOf(env, target)?.top ?? wanted) - wanted);
  } else if (windowHeight < height + 2 * cardHeight) {
    scrollIntoView({ behavior: 'instant', block: 'nearest', inline: 'nearest' });
    scrollOn(env, target, (boxOf(env, target)?.top ?? ROOM_FOR_HEADER) - ROOM_FOR_HEADER);
  } else if (!isWellInSight(env, target, cardHeight)) {
    scrollIntoView({ behavior: behavior(), block: 'center', inline: 'nearest' });
  }
}

/** Scrolls a little further when something that stays in place, a header or a bar, stands before the target's edge. */
export function scrollClear(env: Environment, target: HTMLElement, box: Box): void {
  const x = box.left + box.width / 2;
  const above = stayingBarAt(env, x, box.top + 2, target);
  if (above !== null) {
    scrollOn(env, target, box.top - above.bottom - ROOM);
    return;
  }
  const below = stayingBarAt(env, x, box.top + box.height - 2, target);
  if (below !== null) {
    scrollOn(env, target, box.top + box.height - below.top + ROOM);
  }
}

/** Whether some of `box` is inside the window. */
export function isInWindow({ left, top, width, height }: Box): boolean {
  return left < window.innerWidth && top < window.innerHeight && left + width > 0 && top + height > 0;
}

function isWellInSight(env: Environment, target: HTMLElement, cardHeight: number): boolean {
  const box = boxOf(env, target);
  if (box === null || box.top < ROOM_FOR_HEADER || box.left < 0 || box.left + box.width > window.innerWidth) {
    return false;
  }
  const below = window.innerHeight - box.top - box.height;
  const isAtPoint = (y: number) => pageAt(box.left + box.width / 2, y) === target;
  return (
    below >= ROOM &&
    Math.max(box.top, below) >= cardHeight + ROOM &&
    isAtPoint(box.top + 2) &&
    isAtPoint(box.top + box.height - 2)
  );
}

/** Scrolls what is around the target, the first that can go that way. */
function scrollOn(env: Environment, target: Element, by: number): void {
  for (const tree of treesAround(env, target)) {
    const host = tree === env.treeOf(target) ? target : outerHostIn(env, target, tree);
    for (let one = host; one !== null; one = env.parent(one)) {
      const isPage = one === (tree as Partial<Document>).scrollingElement;
      if ((isPage || /auto|scroll/.test(env.style(one).overflowY)) && canScroll(one, by)) {
        one.scrollBy({ behavior: behavior(), top: by });
        return;
      }
    }
  }
}

function canScroll({ scrollTop, scrollHeight, clientHeight }: Element, by: number): boolean {
  return by < 0 ? scrollTop > 0 : scrollTop + clientHeight < scrollHeight - 1;
}

/** The element of `tree` that the target is in, through frames and shadow roots. */
function outerHostIn(env: Environment, target: Element, tree: Document | ShadowRoot): Element | null {
  for (let one: Element | null = target; one !== null;) {
    const around = env.treeOf(one);
    if (around === tree || around === null) {
      return around === null ? null : one;
    }
    one = env.hostOf(around);
  }
  return null;
}

/** The box of what is fixed or sticky before the target at a point of the page. */
function stayingBarAt(env: Environment, x: number, y: number, target: Element): DOMRect | null {
  const inPage = outerHostIn(env, target, env.page());
  const front = pageAt(x, y);
  for (let one = front; one !== null && inPage !== null && !one.contains(inPage); one = env.parent(one)) {
    const { position } = env.style(one);
    if (position === 'fixed' || position === 'sticky') {
      return inPage.contains(one) ? null : one.getBoundingClientRect();
    }
  }
  return null;
}

/** What of the page is in front at a point, our own card set aside. */
function pageAt(x: number, y: number): Element | null {
  return document.elementsFromPoint(x, y).find(({ localName }) => !localName.startsWith('circuy-')) ?? null;
}

function behavior(): ScrollBehavior {
  return prefersReducedMotion() ? 'instant' : 'smooth';
}
