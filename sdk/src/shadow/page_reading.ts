/**
 * What the tree that an element is in (its document, an open shadow root, a frame's document) holds. A tree is read when
 * it is first asked about and again only after it has changed: on a large page that is what an action costs.
 */
import { LASTING, TEST_ID_ATTRIBUTES, WORDED } from '../dom/attributes';
import type { Cleaning } from '../dom/cleaning';
import type { Environment, Tree } from '../dom/environment';
import { isKeptPrivate, Names } from '../dom/names';
import { NearbyWords } from '../dom/nearby_words';
import { Locators } from '../dom/locators';
import { PageIndex } from '../dom/page_index';
import { NO_SURROUNDINGS, Places, type Surroundings } from '../dom/surroundings';
import { ENTER } from '../dom/survey';

/** Attributes that names and locators rest on; how things look changes at every move of the pointer. */
const WATCHED = [
  ...['id', 'action', 'type', 'role', 'contenteditable', 'aria-labelledby', 'aria-hidden', 'alt', 'title'],
  ...['data-circuy-mask', 'data-circuy-ignore', ...TEST_ID_ATTRIBUTES, ...LASTING, ...WORDED],
];
const HEADING = /^h[1-6]$/;

/** One tree as it is now. */
export interface TreeReading {
  readonly index: PageIndex;
  readonly names: Names;
  readonly nearby: NearbyWords;
  readonly locators: Locators;
  /** Selector of the frame that the tree is in; empty on the page itself. */
  readonly frame: string;
}

export class PageReading {
  private readonly known = new Map<Tree, TreeReading>();
  private readonly watched = new Map<Tree, MutationObserver>();

  constructor(
    private readonly env: Environment,
    private readonly cleaning: Cleaning,
  ) {}

  /** Null for a tree that nothing leads into. */
  of(tree: Tree): TreeReading | null {
    this.forgetChanged();
    return this.read(tree);
  }

  /** Where `element` stands, with the heading above it. */
  placesFor(element: Element, tree: Tree): Places | null {
    const reading = this.of(tree);
    if (reading === null) {
      return null;
    }
    const places = new Places(this.env, reading.names, this.around(tree));
    for (const other of reading.index.ofInterest) {
      if (other === element || isBefore(element, other)) {
        break;
      }
      if (this.isHeading(other) && !places.around(other).isPrivate && !isKeptPrivate(this.env, other)) {
        places.noteHeading(other, reading.names.of(other));
      }
    }
    return places;
  }

  close(): void {
    for (const observer of this.watched.values()) {
      observer.disconnect();
    }
    this.watched.clear();
    this.known.clear();
  }

  private read(tree: Tree): TreeReading | null {
    const known = this.known.get(tree);
    if (known !== undefined) {
      return known;
    }
    const { env } = this;
    const host = env.hostOf(tree);
    const outerTree = host === null ? null : env.treeOf(host);
    const outer = outerTree === null ? null : this.read(outerTree);
    const entrance = host === null ? '' : (outer?.locators.into(host) ?? null);
    if (entrance === null) {
      return null;
    }
    const index = PageIndex.of(env, tree);
    const names = new Names(env, index.labels.of);
    const isFrame = host !== null && env.shadowOf(host) !== tree;
    const reading: TreeReading = {
      index,
      names,
      nearby: new NearbyWords(env, names),
      locators: new Locators(env, index, this.cleaning.isClean, entrance),
      frame: isFrame ? entrance.slice(0, -ENTER.length) : (outer?.frame ?? ''),
    };
    this.known.set(tree, reading);
    this.watch(tree);
    return reading;
  }

  /** What the outer trees say of all that is in `tree`. */
  private around(tree: Tree): Surroundings {
    const { env } = this;
    const host = env.hostOf(tree);
    const outerTree = host === null ? null : env.treeOf(host);
    const isEdited = env.page() === tree && env.isDesigned(env.page());
    const outer = host === null || outerTree === null ? null : this.placesFor(host, outerTree);
    return outer === null || host === null ? { ...NO_SURROUNDINGS(), isEdited } : outer.within(host);
  }

  private watch(tree: Tree): void {
    if (!this.watched.has(tree)) {
      const observer = new MutationObserver(() => {
        this.forgetAll();
      });
      observer.observe(tree, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
        attributeFilter: WATCHED,
      });
      this.watched.set(tree, observer);
    }
  }

  /** What changed since the page last had a turn counts too. */
  private forgetChanged(): void {
    for (const observer of this.watched.values()) {
      if (observer.takeRecords().length > 0) {
        this.forgetAll();
      }
    }
  }

  private forgetAll(): void {
    this.known.clear();
  }

  private isHeading(element: Element): boolean {
    return (
      HEADING.test(this.env.tag(element)) || this.env.attribute(element, 'role')?.trim().toLowerCase() === 'heading'
    );
  }
}

function isBefore(element: Element, other: Element): boolean {
  const position = Node.prototype.compareDocumentPosition.call(other, element);
  return (position & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
}
