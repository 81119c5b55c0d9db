/**
 * All that matters on a page, in document order: in its document, in its open shadow roots and in the documents of its
 * same-origin frames.
 */
import type { Environment, Tree } from './environment';
import { kindOf, type Kept } from './kinds';
import { isKeptPrivate, Names } from './names';
import { PageIndex } from './page_index';
import { NO_SURROUNDINGS, Places, type Surroundings } from './surroundings';

const DEEPEST = 64;
const MOST_FRAMES = 50;
/** After so many elements the walk says that it could be interrupted. */
const STRIDE = 64;

/** Enters the open shadow root, or the document of the same-origin frame, of the element before it. */
export const ENTER = ' >>> ';

/** Says how to get from the page to the tree that hangs on an element; null when there is no way. */
export interface Ways {
  into(host: Element): string | null;
}

/** One tree of the page with what is known of it. */
export interface ScannedTree<W extends Ways> {
  readonly index: PageIndex;
  readonly names: Names;
  readonly places: Places;
  readonly ways: W;
  /** The selector of the frame that the tree is in, within the page. */
  readonly frame: string | null;
}

/** An element that a scan keeps, if people can reach it. */
export interface Sighting<W extends Ways> {
  readonly element: Element;
  readonly kind: Kept;
  readonly around: Surroundings;
  readonly scanned: ScannedTree<W>;
}

export class Survey<W extends Ways> {
  private frames = 0;
  private readonly documents = new Set<Tree>();

  /** `waysIn` makes what finds elements in one tree; `entrance` leads there from the page. */
  constructor(
    private readonly env: Environment,
    private readonly waysIn: (index: PageIndex, entrance: string) => W,
  ) {}

  /** Null stands between sightings: a good moment to let the page do something else. */
  *sightings(): Generator<Sighting<W> | null> {
    const page = this.env.page();
    this.documents.add(page);
    const outermost = { ...NO_SURROUNDINGS(), isEdited: this.env.isDesigned(page) };
    yield* this.inTree(page, '', null, outermost, 0);
  }

  private *inTree(
    tree: Tree,
    entrance: string,
    frame: string | null,
    outermost: Surroundings,
    depth: number,
  ): Generator<Sighting<W> | null> {
    const { env } = this;
    const index = new PageIndex(env, tree);
    yield* index.read();
    const names = new Names(env, index.labels.of);
    const places = new Places(env, names, outermost);
    const scanned: ScannedTree<W> = {
      index,
      names,
      places,
      ways: this.waysIn(index, entrance),
      frame,
    };
    const modal = this.modalIn(tree);
    let passed = 0;
    for (const element of index.ofInterest) {
      passed += 1;
      if (passed % STRIDE === 0) {
        yield null;
      }
      const around = places.around(element);
      if (!isOpenToUs(around) || (modal !== null && !this.isInside(element, modal))) {
        continue;
      }
      const kind = this.isLeftOut(element) ? null : kindOf(env, element);
      if (kind !== null) {
        yield { element, kind, around, scanned };
      }
      const tag = env.tag(element);
      if (isHeading(env, element, tag)) {
        this.noteHeading(element, around, scanned);
      }
      if (tag === 'iframe' || index.hosts.has(element)) {
        yield* this.inside(element, scanned, depth);
      }
    }
  }

  /** The modal dialog on top: nobody reaches what is outside of it. */
  private modalIn(tree: Tree): Element | null {
    try {
      return this.env.select(tree, 'dialog:modal').at(-1) ?? null;
    } catch {
      // A browser that does not know the question has no answer.
      return null;
    }
  }

  private isInside(element: Element, outer: Element): boolean {
    let current: Element | null = element;
    while (current !== null && current !== outer) {
      current = this.env.parent(current);
    }
    return current !== null;
  }

  private isLeftOut(element: Element): boolean {
    return this.env.attribute(element, 'inert') !== null || this.env.attribute(element, 'data-circuy-ignore') !== null;
  }

  private noteHeading(element: Element, around: Surroundings, scanned: ScannedTree<W>): void {
    if (!around.isPrivate && !isKeptPrivate(this.env, element)) {
      scanned.places.noteHeading(element, scanned.names.of(element));
    }
  }

  /** The tree that hangs on `element`. */
  private *inside(element: Element, scanned: ScannedTree<W>, depth: number): Generator<Sighting<W> | null> {
    const { env } = this;
    const isFrame = env.tag(element) === 'iframe';
    const tree = isFrame ? this.framed(element) : env.shadowOf(element);
    if (tree === null || depth >= DEEPEST || !isOpenToUs(scanned.places.within(element)) || this.isLeftOut(element)) {
      return;
    }
    const into = scanned.ways.into(element);
    if (into !== null) {
      const frame = isFrame ? into.slice(0, -ENTER.length) : scanned.frame;
      yield* this.inTree(tree, into, frame, scanned.places.within(element), depth + 1);
    }
  }

  /** The document in a frame that people can see and do not write in; each once, for frames may hold each other. */
  private framed(element: Element): Document | null {
    const { env } = this;
    const inner = env.isRendered(element) && env.hasBox(element) ? env.framedDocument(element) : null;
    if (inner === null || env.isDesigned(inner) || this.documents.has(inner) || this.frames >= MOST_FRAMES) {
      return null;
    }
    this.documents.add(inner);
    this.frames += 1;
    return inner;
  }
}

function isHeading(env: Environment, element: Element, tag: string): boolean {
  return (
    (tag.length === 2 && tag.startsWith('h') && tag !== 'hr') ||
    env.attribute(element, 'role')?.trim().toLowerCase() === 'heading'
  );
}

function isOpenToUs({ isSkipped, isEdited }: Surroundings): boolean {
  return !isSkipped && !isEdited;
}
