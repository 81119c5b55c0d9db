import type { Environment } from './environment';
import type { PageIndex } from './page_index';

const OPENING_TAGS = new Set(['a', 'button', 'summary']);
const UNFOLDING = ['aria-expanded', 'aria-haspopup', 'data-toggle', 'data-bs-toggle'];
const LISTS = new Set(['ul', 'ol', 'menu']);
/** What is there to be opened, whoever opens it. */
const OPENED_ROLES = new Set(['dialog', 'alertdialog', 'menu', 'listbox', 'tabpanel']);

/** A closed part of the page; `opener` is the rendered control that opens it, when the page says which. */
export interface Closure {
  readonly opener: Element | null;
}

const UNKNOWN_OPENER: Closure = { opener: null };

/** Finds the closed part (details, tab, menu, dialog, drawer) that an element is in. */
export class Closures {
  private readonly known = new Map<Element, Closure | null>();

  constructor(
    private readonly env: Environment,
    private readonly index: PageIndex,
  ) {}

  /** Null when nobody can bring the element into view. */
  of(element: Element): Closure | null {
    const path: Element[] = [];
    let found: Closure | null = null;
    for (let current: Element | null = element; current !== null; current = this.env.parent(current)) {
      const known = this.known.get(current);
      if (known === undefined) {
        path.push(current);
      }
      const closure: Closure | null = known === undefined ? this.ownClosure(current) : known;
      // The nearest with a known opener says most; without one, the nearest.
      const hasOpener = closure !== null && closure.opener !== null;
      found = hasOpener ? closure : (found ?? closure);
      if (hasOpener || known !== undefined) {
        break;
      }
    }
    for (const step of path) {
      this.known.set(step, found);
    }
    return found;
  }

  private ownClosure(element: Element): Closure | null {
    const { env } = this;
    const tag = env.tag(element);
    if (tag === 'details' && env.attribute(element, 'open') === null) {
      for (let child = env.firstElement(element); child !== null; child = env.nextElement(child)) {
        if (env.tag(child) === 'summary' && env.isRendered(child)) {
          return { opener: child };
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
    if (opener !== null && env.isRendered(opener) && env.hasBox(opener)) {
      return { opener };
    }
    const role = env.attribute(element, 'role')?.trim().toLowerCase() ?? '';
    return tag === 'dialog' || OPENED_ROLES.has(role) || env.attribute(element, 'popover') !== null
      ? UNKNOWN_OPENER
      : null;
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
