import type { Environment } from './environment';
import type { PageIndex } from './page_index';

const OPENING_TAGS = new Set(['a', 'button', 'summary']);
const UNFOLDING = ['aria-expanded', 'aria-haspopup', 'data-toggle', 'data-bs-toggle'];
const LISTS = new Set(['ul', 'ol', 'menu']);

/** Finds what opens the closed part (details, tab, menu, drawer) that an element is in. */
export class Closures {
  private readonly known = new Map<Element, Element | null>();

  constructor(
    private readonly env: Environment,
    private readonly index: PageIndex,
  ) {}

  /** The rendered opener of the closed part around `element`; null when there is none that people could use. */
  openerOf(element: Element): Element | null {
    const path: Element[] = [];
    let found: Element | null = null;
    for (let current: Element | null = element; current !== null; current = this.env.parent(current)) {
      const known = this.known.get(current);
      if (known !== undefined) {
        found = known;
        break;
      }
      path.push(current);
      found = this.ownOpener(current);
      if (found !== null) {
        break;
      }
    }
    for (const step of path) {
      this.known.set(step, found);
    }
    return found;
  }

  private ownOpener(element: Element): Element | null {
    const { env } = this;
    if (env.tag(element) === 'details' && env.attribute(element, 'open') === null) {
      for (let child = env.firstElement(element); child !== null; child = env.nextElement(child)) {
        if (env.tag(child) === 'summary' && env.isRendered(child)) {
          return child;
        }
      }
    }
    // What is on screen needs no opener: a link to a part of the page (a skip link) opens nothing.
    if (env.isRendered(element)) {
      return null;
    }
    const id = env.attribute(element, 'id');
    const named = id === null || id === '' ? null : this.index.openerOf(id);
    const opener = named ?? this.besideOpener(element);
    return opener !== null && env.isRendered(opener) && env.hasBox(opener) ? opener : null;
  }

  /** A control just before what it unfolds: it says so, or what follows it is a list. */
  private besideOpener(element: Element): Element | null {
    const { env } = this;
    const before = env.previousElement(element);
    if (before === null || !OPENING_TAGS.has(env.tag(before))) {
      return null;
    }
    const saysSo = UNFOLDING.some((name) => env.attribute(before, name) !== null);
    const isList = LISTS.has(env.tag(element)) || env.attribute(element, 'role') === 'menu';
    return saysSo || isList ? before : null;
  }
}
