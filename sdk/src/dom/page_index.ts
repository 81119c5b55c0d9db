/**
 * What one tree of the page (its document, an open shadow root, a frame's document) holds, looked up once: so that
 * asking "is this the only one?" later costs a look-up and not a search of the page.
 */
import { LASTING, TEST_ID_ATTRIBUTES, WORDED } from './attributes';
import type { Environment, Tree } from './environment';
import { mayMatter } from './kinds';
import { Labels } from './labels';
import { inputType } from './roles';

const COUNTED = ['id', 'action', ...TEST_ID_ATTRIBUTES, ...LASTING, ...WORDED];
const OPENERS = '[aria-controls],[data-bs-target],[data-target],[popovertarget],[commandfor],a[href^="#"]';
/** Controls that are found by where they are and what they are, as in `#search button`. */
const PLAIN_CONTROLS = new Set(['a', 'button', 'input', 'select', 'textarea', 'summary']);
/** After so many elements the page may be given a turn. */
const STRIDE = 256;
const FEW = 8;

/** The elements that share a value of an attribute, with counts of what tells them apart made when first needed. */
class Sharers {
  readonly elements: Element[];
  private readonly counts = new Map<string, Map<string | Element | null, number>>();

  constructor(...elements: Element[]) {
    this.elements = elements;
  }

  /** How many of them have the same `key` as `element`; `kind` names the key. */
  like(element: Element, kind: string, key: (element: Element) => string | Element | null): number {
    let counts = this.counts.get(kind);
    if (counts === undefined) {
      counts = new Map();
      for (const one of this.elements) {
        count(counts, key(one));
      }
      this.counts.set(kind, counts);
    }
    return counts.get(key(element)) ?? 0;
  }
}

export class PageIndex {
  /** Elements that may matter to a scan, in document order, with those that a tree of their own hangs on. */
  readonly ofInterest: Element[] = [];
  readonly hosts = new Set<Element>();
  readonly labels: Labels;
  private readonly foldsIds: boolean;
  /** By attribute and value: the element that has it, or those that do. */
  private readonly values = new Map<string, Map<string, Element | Sharers>>();
  private readonly positions = new Map<Element, number>();
  private readonly formAround = new Map<Element, Element | null>();
  private openers: Map<string, Element> | null = null;
  private readonly controlsInside = new Map<Element, Map<string, number>>();
  private readonly nearest = new Map<Element, Element | null>();

  constructor(
    private readonly env: Environment,
    readonly tree: Tree,
  ) {
    this.labels = new Labels(env, tree);
    this.foldsIds = env.foldsIds(tree);
    for (const name of COUNTED) {
      this.values.set(name, new Map());
    }
  }

  /** An index that has read its tree. */
  static of(env: Environment, tree: Tree): PageIndex {
    const index = new PageIndex(env, tree);
    const reading = index.read();
    while (reading.next().done !== true);
    return index;
  }

  /** Reads the tree, with a stop every now and then where the page may be given a turn. */
  *read(): Generator<null> {
    const { env } = this;
    let passed = 0;
    for (const element of env.select(this.tree, '*')) {
      passed += 1;
      if (passed % STRIDE === 0) {
        yield null;
      }
      const tag = env.tag(element);
      const names = env.attributeNames(element);
      for (const name of names) {
        const byValue = this.values.get(name);
        if (byValue !== undefined) {
          note(byValue, this.keyOf(name, env.attribute(element, name) ?? ''), element);
        }
      }
      const isHost = env.shadowOf(element) !== null;
      if (isHost) {
        this.hosts.add(element);
      }
      if (PLAIN_CONTROLS.has(tag) && (tag !== 'a' || names.includes('href'))) {
        this.countControl(element);
      }
      if (isHost || mayMatter(env, element, tag, names)) {
        this.ofInterest.push(element);
      }
    }
  }

  /** Whether `element` is the only one with its value of `name`: of its tag, or of any. */
  isOnly(element: Element, name: string, value: string, ofAnyTag: boolean): boolean {
    const sharers = this.values.get(name)?.get(this.keyOf(name, value));
    if (!(sharers instanceof Sharers)) {
      return sharers !== undefined;
    }
    return !ofAnyTag && sharers.like(element, 'tag', (one) => this.env.tag(one)) === 1;
  }

  /** The same, among those of the same tag and form, or of the same tag and `value` for radios and checkboxes. */
  isOnlyWith(element: Element, name: string, value: string, also: 'form' | 'choice'): boolean {
    const sharers = this.values.get(name)?.get(value);
    if (!(sharers instanceof Sharers)) {
      return sharers !== undefined;
    }
    const { env } = this;
    const tag = env.tag(element);
    const key = (one: Element) => (also === 'form' ? this.formOf(one) : env.attribute(one, 'value'));
    return sharers.like(element, `${also} ${tag}`, (one) => (env.tag(one) === tag ? key(one) : null)) === 1;
  }

  /** Rank of `element` among its siblings of the same tag, from 1; negative when it is the only one. */
  position(element: Element): number {
    return this.positions.get(element) ?? this.nearPosition(element) ?? this.farPosition(element);
  }

  /** Among few siblings, looking at them is quicker than noting them; undefined when they are many. */
  private nearPosition(element: Element): number | undefined {
    const { env } = this;
    const tag = env.tag(element);
    let position = 1;
    let isOnly = true;
    let looked = 0;
    for (let before = env.previousElement(element); before !== null; before = env.previousElement(before)) {
      looked += 1;
      if (looked > FEW) {
        return undefined;
      }
      if (env.tag(before) === tag) {
        position += 1;
        isOnly = false;
      }
    }
    for (let after = env.nextElement(element); isOnly && after !== null; after = env.nextElement(after)) {
      looked += 1;
      if (looked > FEW) {
        return undefined;
      }
      isOnly = env.tag(after) !== tag;
    }
    return isOnly ? -1 : position;
  }

  private farPosition(element: Element): number {
    const { env } = this;
    const parent = env.parent(element);
    const counts = new Map<string, number>();
    const siblings: Element[] = [];
    const first = parent === null ? element : env.firstElement(parent);
    for (let sibling = first; sibling !== null; sibling = env.nextElement(sibling)) {
      siblings.push(sibling);
      this.positions.set(sibling, count(counts, env.tag(sibling)));
    }
    for (const sibling of siblings) {
      if (counts.get(env.tag(sibling)) === 1) {
        this.positions.set(sibling, -1);
      }
    }
    return this.positions.get(element) ?? 1;
  }

  /**
   * A short way to say what a control is, such as `input[type="date"]`, when no other one inside `ancestor` is the same;
   * null otherwise.
   */
  controlAlone(element: Element, ancestor: Element): string | null {
    const said = this.sayControl(element);
    return said !== null && this.controlsInside.get(ancestor)?.get(said) === 1 ? said : null;
  }

  formOf(element: Element): Element | null {
    const known = this.formAround.get(element);
    if (known !== undefined) {
      return known;
    }
    const path: Element[] = [];
    let form: Element | null = null;
    for (let current = this.env.parent(element); current !== null; current = this.env.parent(current)) {
      if (this.env.tag(current) === 'form') {
        form = current;
        break;
      }
      const above = this.formAround.get(current);
      if (above !== undefined) {
        form = above;
        break;
      }
      path.push(current);
    }
    for (const step of [element, ...path]) {
      this.formAround.set(step, form);
    }
    return form;
  }

  /** The element that says it opens the one with this id (`aria-controls` and the like). */
  openerOf(id: string): Element | null {
    this.openers ??= this.readOpeners();
    return this.openers.get(id) ?? null;
  }

  private keyOf(name: string, value: string): string {
    return name === 'id' && this.foldsIds ? value.toLowerCase() : value;
  }

  private readOpeners(): Map<string, Element> {
    const { env } = this;
    const openers = new Map<string, Element>();
    const found = env.select(this.tree, OPENERS);
    for (const element of found) {
      const target = env.attribute(element, 'data-bs-target') ?? env.attribute(element, 'data-target');
      const link = env.tag(element) === 'a' ? env.attribute(element, 'href') : null;
      const ids = [
        ...(env.attribute(element, 'aria-controls')?.split(/\s+/) ?? []),
        env.attribute(element, 'popovertarget') ?? '',
        env.attribute(element, 'commandfor') ?? '',
        ...[target, link].flatMap((value) => (value?.startsWith('#') === true ? [value.slice(1)] : [])),
      ];
      for (const id of ids) {
        if (id !== '' && !openers.has(id)) {
          openers.set(id, element);
        }
      }
    }
    return openers;
  }

  /** Counts a control for each ancestor that may be found by itself. */
  private countControl(control: Element): void {
    const said = this.sayControl(control);
    if (said === null) {
      return;
    }
    for (let anchor = this.anchorAround(control); anchor !== null; anchor = this.anchorAround(anchor)) {
      let counts = this.controlsInside.get(anchor);
      if (counts === undefined) {
        counts = new Map();
        this.controlsInside.set(anchor, counts);
      }
      count(counts, said);
    }
  }

  /** The nearest ancestor that may be found by itself. */
  private anchorAround(element: Element): Element | null {
    const { env, nearest } = this;
    const path: Element[] = [];
    let found: Element | null = null;
    for (let current: Element | null = element; current !== null; current = env.parent(current)) {
      const known = nearest.get(current);
      if (known !== undefined) {
        found = known;
        break;
      }
      path.push(current);
      const parent = env.parent(current);
      if (parent !== null && mayAnchor(env, parent)) {
        found = parent;
        break;
      }
    }
    for (const step of path) {
      nearest.set(step, found);
    }
    return found;
  }

  private sayControl(element: Element): string | null {
    const tag = this.env.tag(element);
    switch (tag) {
      case 'a':
        return 'a[href]';
      case 'button':
      case 'select':
      case 'textarea':
      case 'summary':
        return tag;
      case 'input': {
        const type = this.env.attribute(element, 'type');
        if (type === null) {
          return 'input:not([type])';
        }
        // Written as it stands: a type that browsers do not know is taken for text, and is not called so.
        return type === inputType(this.env, element) && type !== 'hidden' ? `input[type="${type}"]` : null;
      }
      default:
        return null;
    }
  }
}

/** Whether what is inside `element` may be found by starting there. */
export function mayAnchor(env: Environment, element: Element): boolean {
  return env.attribute(element, 'id') !== null || env.tag(element) === 'form';
}

function note(byValue: Map<string, Element | Sharers>, value: string, element: Element): void {
  const known = value === '' ? null : byValue.get(value);
  if (known === undefined) {
    byValue.set(value, element);
  } else if (known instanceof Sharers) {
    known.elements.push(element);
  } else if (known !== null) {
    byValue.set(value, new Sharers(known, element));
  }
}

function count<Key>(counts: Map<Key, number>, key: Key): number {
  const next = (counts.get(key) ?? 0) + 1;
  counts.set(key, next);
  return next;
}
