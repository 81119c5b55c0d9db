/**
 * What a page offers to do, as the spec's `A11yNode`s in document order. What people typed or chose is never read, and
 * every text is masked before it is cut.
 */
import type { A11yNode, NodeState, PageScanPayload } from '../api/wire';
import type { Rule } from '../core/masking';
import { proposePattern } from '../core/routes';
import { anchorOf } from './anchors';
import { Budget } from './budget';
import { Cleaning } from './cleaning';
import { Closures, type Closure } from './closures';
import { Descriptions, put, TEXT_LIMIT } from './description';
import type { Environment } from './environment';
import { Fingerprints, writeFingerprint } from './fingerprint';
import type { Kind } from './kinds';
import { Locators } from './locators';
import { isKeptPrivate } from './names';
import { NearbyWords } from './nearby_words';
import type { PageIndex } from './page_index';
import { roleOf } from './roles';
import { everyMatchOf } from './matches';
import { Survey, type Sighting as AnySighting, type Ways } from './survey';
import { inTurns } from './turns';

export const MOST_NODES = 2_000;
const MOST_BYTES = 250_000;
const TITLE_LIMIT = 200;

export interface ScanOptions {
  /** Patterns of the organization, masked beside our own. */
  masks?: readonly Rule[];
  /** How much may be sent; by default what the server takes. */
  limits?: { nodes?: number; bytes?: number };
}

/** A scan, with what the recorder shows beside it. Elements stay in the page: they are not part of the payload. */
export interface Scan {
  payload: PageScanPayload;
  elements: ReadonlyMap<string, Element>;
  kinds: ReadonlyMap<string, Kind>;
  /** How many personal data were masked. */
  masked: number;
  /** Whether the page held more than may be sent. */
  truncated: boolean;
  /** Elements that could not be read (the page broke what they answer) or that no selector finds. */
  failed: number;
}

/**
 * Scans the page of `env`, open at `path`. Linear in the size of the page; changes nothing on it, and lets it breathe:
 * a large page is read in short turns.
 */
export async function scanPage(env: Environment, path: string, options: ScanOptions = {}): Promise<Scan> {
  const scanner = new Scanner(env, options);
  const hasChanged = env.watchChanges();
  await inTurns(scanner.read());
  if (hasChanged()) {
    await inTurns(scanner.check());
  }
  return scanner.result(path);
}

/** What a scan needs in each tree of the page. */
class TreeTools implements Ways {
  readonly locators: Locators;
  readonly closures: Closures;

  constructor(env: Environment, index: PageIndex, cleaning: Cleaning, entrance: string) {
    this.locators = new Locators(env, index, cleaning.isClean, entrance);
    this.closures = new Closures(env, index);
  }

  into(host: Element): string | null {
    return this.locators.into(host);
  }
}

type Sighting = AnySighting<TreeTools>;

/** Where people would act on an element, whether a pointer can, and the closed part it is in. */
interface Place {
  anchor: Element;
  isPressed: boolean;
  closure: Closure | null;
}

class Scanner {
  private readonly cleaning: Cleaning;
  private readonly descriptions: Descriptions;
  private readonly budget: Budget;
  private readonly survey: Survey<TreeTools>;
  private readonly fingerprints: Fingerprints;
  private readonly nodes: A11yNode[] = [];
  private readonly elements = new Map<string, Element>();
  private readonly kinds = new Map<string, Kind>();
  private truncated = false;
  private failed = 0;

  constructor(
    private readonly env: Environment,
    { masks = [], limits = {} }: ScanOptions,
  ) {
    this.cleaning = new Cleaning(masks);
    this.descriptions = new Descriptions(env, this.cleaning);
    this.budget = new Budget(limits.nodes ?? MOST_NODES, limits.bytes ?? MOST_BYTES);
    this.survey = new Survey(env, (index, entrance) => new TreeTools(env, index, this.cleaning, entrance));
    this.fingerprints = new Fingerprints(env, this.cleaning.isClean);
  }

  /** Reads the page; stops in between, where the page may be given a turn. */
  *read(): Generator<void> {
    for (const sighting of this.survey.sightings()) {
      if (sighting === null) {
        yield;
        continue;
      }
      try {
        this.visit(sighting);
      } catch {
        this.failed += 1;
      }
      if (this.truncated) {
        return;
      }
    }
  }

  /** Drops what a selector no longer finds alone: the page changed in the turns it was given. */
  *check(): Generator<void> {
    for (const node of [...this.nodes]) {
      const anchor = this.elements.get(node.id);
      const isFound = [node.selector, node.fallbackSelector ?? ''].map((selector) => {
        const [first, ...others] = everyMatchOf(this.env, selector);
        return first === anchor && others.length === 0;
      });
      if (isFound[0] === false && isFound[1] === true) {
        node.selector = node.fallbackSelector ?? '';
      } else if (isFound[0] === false) {
        this.nodes.splice(this.nodes.indexOf(node), 1);
        this.elements.delete(node.id);
        this.kinds.delete(node.id);
        this.failed += 1;
      }
      if (isFound[1] === false || isFound[0] === false) {
        delete node.fallbackSelector;
      }
      yield;
    }
  }

  result(path: string): Scan {
    return {
      payload: {
        urlPattern: this.patternOf(path),
        pageTitle: isKeptPrivate(this.env, this.env.root()) ? '' : this.cleaning.clean(this.env.title(), TITLE_LIMIT),
        nodes: this.nodes,
      },
      elements: this.elements,
      kinds: this.kinds,
      masked: this.cleaning.masked,
      truncated: this.truncated,
      failed: this.failed,
    };
  }

  /** The pattern to propose for `path`: what is personal in it stands for one record. */
  private patternOf(path: string): string {
    const segments = proposePattern(path).split('/');
    return segments.map((segment) => (this.cleaning.isClean(decoded(segment)) ? segment : '*')).join('/');
  }

  /** Keeps an element that matters; of a private one where it is and what it is, but no word. */
  private visit(sighting: Sighting): void {
    const { env } = this;
    const { element, kind, around, scanned } = sighting;
    const isPrivate = around.isPrivate || isKeptPrivate(env, element);
    if (isPrivate && !kind.isInteractive) {
      return;
    }
    const place = this.placeOf(sighting);
    const said = place === null ? null : this.nameOf(sighting);
    if (place === null || said === null) {
      return;
    }
    const locator = scanned.ways.locators.of(place.anchor, isPrivate);
    if (locator === null) {
      this.failed += 1;
      return;
    }
    const name = isPrivate ? '' : said;
    const role = roleOf(env, element);
    const context = scanned.places.contextOf(element, kind.kind === 'heading');
    const node: A11yNode = {
      id: `n${this.nodes.length + 1}`,
      tag: env.tag(element),
      selector: locator.selector,
      isInteractive: kind.isInteractive && place.isPressed,
    };
    const isNameless = said === '' && !isPrivate && !around.isEdited && kind.isInteractive;
    const nearby = isNameless ? new NearbyWords(env, scanned.names) : null;
    // What a guide recognises an element by is its own name alone: what stands beside it is not looked up again.
    this.descriptions.identity(node, element, role, name || (nearby?.of(element, kind) ?? ''), isPrivate);
    if (nearby !== null && node.label === undefined && node.name === undefined) {
      const icon = nearby.iconOf(element);
      put(node, 'name', icon === '' ? '' : `icon:${icon}`);
    }
    put(node, 'fallbackSelector', locator.fallback ?? '');
    if (node.tag === 'select' && !isPrivate) {
      put(node, 'options', this.descriptions.options(element, scanned.names));
    }
    put(node, 'context', this.descriptions.context(context));
    put(node, 'state', {
      ...this.closedState(place.closure, scanned.ways.locators),
      ...this.descriptions.state(element, around, isPrivate),
    });
    put(node, 'frame', scanned.frame ?? '');
    node.fingerprint = writeFingerprint(this.fingerprints.of(element, role, name, context, isPrivate));
    this.keep(node, place.anchor, kind.kind);
  }

  private keep(node: A11yNode, anchor: Element, kind: Kind): void {
    if (!this.budget.allows(node)) {
      this.truncated = true;
      return;
    }
    this.nodes.push(node);
    this.elements.set(node.id, anchor);
    this.kinds.set(node.id, kind);
  }

  /** Null when people cannot reach the element. */
  private placeOf({ element, kind, scanned }: Sighting): Place | null {
    const { env } = this;
    const anchor = anchorOf(env, element, scanned.index.labels.of(element));
    if (anchor !== null) {
      const { cursor, pointerEvents } = env.style(anchor);
      const isPressed = pointerEvents !== 'none' || env.attribute(element, 'disabled') !== null;
      if (kind.guess === 'pointed' && cursor !== 'pointer') {
        return null;
      }
      // A link that takes no pointer is how pages show where one is; the Tab key still reaches it.
      return isPressed || env.tag(element) === 'a' ? { anchor, isPressed, closure: null } : null;
    }
    const closure = kind.guess === 'pointed' ? null : scanned.ways.closures.of(element);
    return closure === null ? null : { anchor: element, isPressed: true, closure };
  }

  /** The accessible name in full; null for what would be a button if it had one. */
  private nameOf({ element, kind, around, scanned }: Sighting): string | null {
    if (kind.guess === undefined) {
      return scanned.names.of(element);
    }
    const said = scanned.names.of(element, TEXT_LIMIT) || scanned.names.contentOf(element, TEXT_LIMIT);
    const isOne = said !== '' && said.length <= TEXT_LIMIT && !(kind.guess === 'pointed' && around.isPressed);
    return isOne ? said : null;
  }

  private closedState(closure: Closure | null, locators: Locators): NodeState {
    if (closure === null) {
      return {};
    }
    const opener = closure.opener === null ? null : locators.of(closure.opener);
    return opener === null ? { closed: true } : { closed: true, opener: opener.selector };
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
