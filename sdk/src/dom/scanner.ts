/**
 * What a page offers to do, as the spec's `A11yNode`s in document order. What people typed or chose is never read, and
 * every text is masked before it is cut.
 */
import type { A11yNode, NodeContext, NodeState, PageScanPayload } from '../api/wire';
import { isGeneratedName } from '../core/generated_names';
import type { Rule } from '../core/masking';
import { proposePattern } from '../core/routes';
import { Budget } from './budget';
import { Cleaning } from './cleaning';
import { Closures, type Closure } from './closures';
import type { Environment } from './environment';
import { Fingerprints, writeFingerprint } from './fingerprint';
import type { Kind } from './kinds';
import { Locators } from './locators';
import { isKeptPrivate, type Names } from './names';
import type { PageIndex } from './page_index';
import { inputType, roleOf } from './roles';
import { Survey, type Sighting as AnySighting, type Ways } from './survey';
import { Turns } from './turns';

export const MOST_NODES = 2_000;
export const MOST_BYTES = 250_000;
const LABEL_LIMIT = 30;
const TEXT_LIMIT = 80;
const TITLE_LIMIT = 200;
const NAME_LIMIT = 300;
const MOST_OPTIONS = 12;
const CONTEXT_KEYS = ['heading', 'form', 'group', 'row', 'column', 'landmark'] as const;
const WITH_NAMES = new Set(['input', 'select', 'textarea', 'button']);

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
  const turns = new Turns();
  const reading = scanner.read();
  while (reading.next().done !== true) {
    if (turns.isOver()) {
      await turns.next();
    }
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

/** Where people would act on an element, and the closed part it is in. */
interface Place {
  anchor: Element;
  closure: Closure | null;
}

class Scanner {
  private readonly cleaning: Cleaning;
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
    this.budget = new Budget(limits.nodes ?? MOST_NODES, limits.bytes ?? MOST_BYTES);
    this.survey = new Survey(env, (index, entrance) => new TreeTools(env, index, this.cleaning, entrance));
    this.fingerprints = new Fingerprints(env);
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

  result(path: string): Scan {
    return {
      payload: {
        urlPattern: this.patternOf(path),
        pageTitle: this.cleaning.clean(this.env.title(), TITLE_LIMIT),
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
    if (place === null) {
      return;
    }
    const said = this.nameOf(sighting);
    if (said === null) {
      return;
    }
    const locator = scanned.ways.locators.of(place.anchor, isPrivate);
    if (locator === null) {
      this.failed += 1;
      return;
    }
    const name = isPrivate ? '' : said;
    const context = scanned.places.contextOf(element, kind.kind === 'heading');
    const node: A11yNode = {
      id: `n${this.nodes.length + 1}`,
      tag: env.tag(element),
      selector: '',
      isInteractive: false,
    };
    const role = roleOf(env, element);
    this.describe(node, element, role, name, isPrivate);
    node.selector = locator.selector;
    if (locator.fallback !== null) {
      node.fallbackSelector = locator.fallback;
    }
    node.isInteractive = kind.isInteractive && !this.isOutOfPointersReach(element);
    if (node.tag === 'select' && !isPrivate) {
      put(node, 'options', this.optionsOf(element, scanned.names));
    }
    put(node, 'context', this.cleanContext(context));
    put(node, 'state', this.stateOf(sighting, place.closure));
    put(node, 'frame', scanned.frame ?? '');
    node.fingerprint = writeFingerprint(this.fingerprints.of(element, role, name, context));
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
    if (env.isRendered(element) && env.hasBox(element)) {
      const style = env.style(element);
      const isPointed = kind.guess !== 'pointed' || style.cursor === 'pointer';
      if (style.opacity !== '0' && isPointed && (style.pointerEvents !== 'none' || this.isReachedByKeys(element))) {
        return { anchor: element, closure: null };
      }
    }
    if (kind.guess === 'pointed') {
      return null;
    }
    // A control drawn by its label (custom checkboxes, upload buttons): people click the label.
    for (const label of scanned.index.labels.of(element)) {
      if (env.isRendered(label) && env.hasBox(label)) {
        return { anchor: label, closure: null };
      }
    }
    const closure = env.isRendered(element) ? null : scanned.ways.closures.of(element);
    return closure === null ? null : { anchor: element, closure };
  }

  /** Takes no pointer, and is there all the same: a disabled control, or a link that the Tab key still reaches. */
  private isReachedByKeys(element: Element): boolean {
    const { env } = this;
    return env.attribute(element, 'disabled') !== null || env.tag(element) === 'a';
  }

  private isOutOfPointersReach(element: Element): boolean {
    return this.env.tag(element) === 'a' && this.env.style(element).pointerEvents === 'none';
  }

  /** The accessible name in full; null for what would be a button if it had one. */
  private nameOf({ element, kind, around, scanned }: Sighting): string | null {
    const name = scanned.names.of(element);
    if (kind.guess === undefined) {
      return name;
    }
    const said = name || scanned.names.contentOf(element);
    const isOne = said !== '' && said.length <= TEXT_LIMIT && !(kind.guess === 'pointed' && around.isPressed);
    return isOne ? said : null;
  }

  private describe(node: A11yNode, element: Element, role: string | null, name: string, isPrivate: boolean): void {
    const { env } = this;
    const { tag } = node;
    const type =
      tag === 'input' ? inputType(env, element) : tag === 'button' ? (env.attribute(element, 'type') ?? '') : '';
    put(node, 'type', this.cleaning.clean(type, TEXT_LIMIT));
    put(node, 'label', this.cleaning.clean(name, LABEL_LIMIT));
    if (!isPrivate && (tag === 'input' || tag === 'textarea')) {
      put(node, 'placeholder', this.cleaning.clean(env.attribute(element, 'placeholder') ?? '', TEXT_LIMIT));
    }
    put(node, 'role', this.cleaning.clean(role ?? '', TEXT_LIMIT));
    if (WITH_NAMES.has(tag)) {
      const given = env.attribute(element, 'name') ?? '';
      put(node, 'name', given === '' || isGeneratedName(given) ? '' : this.cleaning.clean(given, NAME_LIMIT));
    }
  }

  private cleanContext(context: NodeContext): NodeContext {
    const cleaned: NodeContext = {};
    for (const key of CONTEXT_KEYS) {
      const said = context[key];
      const text = said === undefined ? '' : this.cleaning.clean(said, TEXT_LIMIT);
      if (text !== '') {
        cleaned[key] = text;
      }
    }
    return cleaned;
  }

  private optionsOf(element: Element, names: Names): string[] {
    const { env } = this;
    const options: string[] = [];
    const collect = (parent: Element) => {
      for (let child = env.firstElement(parent); child !== null; child = env.nextElement(child)) {
        if (options.length >= MOST_OPTIONS) {
          return;
        }
        const tag = env.tag(child);
        if (tag === 'option') {
          const text = this.cleaning.clean(names.contentOf(child), TEXT_LIMIT);
          if (text !== '') {
            options.push(text);
          }
        } else if (tag === 'optgroup') {
          collect(child);
        }
      }
    };
    collect(element);
    return options;
  }

  private stateOf({ element, around, scanned }: Sighting, closure: Closure | null): NodeState {
    const { env } = this;
    const state: NodeState = {};
    if (CAN_BE_DISABLED.has(env.tag(element)) && (around.isDisabled || env.attribute(element, 'disabled') !== null)) {
      state.disabled = true;
    }
    if (closure !== null) {
      state.closed = true;
      const opener = closure.opener === null ? null : scanned.ways.locators.of(closure.opener);
      if (opener !== null) {
        state.opener = opener.selector;
      }
    }
    for (const name of env.attributeNames(element)) {
      const value = STATES.has(name) ? (env.attribute(element, name) ?? '') : '';
      switch (name) {
        case 'required':
          state.required = true;
          break;
        case 'aria-disabled':
          if (value === 'true') {
            state.disabled = true;
          }
          break;
        case 'aria-required':
          if (value === 'true') {
            state.required = true;
          }
          break;
        case 'aria-hidden':
          if (value === 'true') {
            state.ariaHidden = true;
          }
          break;
        case 'aria-checked':
          saySo(state, 'checked', value);
          break;
        case 'aria-expanded':
          saySo(state, 'expanded', value);
          break;
        case 'aria-selected':
          saySo(state, 'selected', value);
          break;
        default:
      }
    }
    if (around.isAriaHidden) {
      state.ariaHidden = true;
    }
    return state;
  }
}

const CAN_BE_DISABLED = new Set(['button', 'input', 'select', 'textarea']);
const STATES = new Set([
  'aria-disabled',
  'aria-required',
  'aria-hidden',
  'aria-checked',
  'aria-expanded',
  'aria-selected',
]);

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function saySo(state: NodeState, key: 'checked' | 'expanded' | 'selected', value: string): void {
  if (value === 'true' || value === 'false') {
    state[key] = value === 'true';
  }
}

function put<Key extends keyof A11yNode>(node: A11yNode, key: Key, value: NonNullable<A11yNode[Key]>): void {
  if (typeof value === 'string' ? value !== '' : Object.keys(value).length > 0) {
    node[key] = value;
  }
}
