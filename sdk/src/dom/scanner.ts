/**
 * What a page offers to do, as the spec's `A11yNode`s in document order. What people typed or chose is never read, and
 * every text is masked before it is cut.
 */
import type { A11yNode, NodeState, PageScanPayload } from '../api/wire';
import { isGeneratedName } from '../core/generated_names';
import { mask, type Masked } from '../core/masking';
import { proposePattern } from '../core/routes';
import { cutGraphemes, dropUnstorable, foldSpaces } from '../core/text';
import { Closures } from './closures';
import { Contexts } from './contexts';
import type { Environment } from './environment';
import { kindOf, type Kept, type Kind } from './kinds';
import { Locators } from './locators';
import { isKeptPrivate, Names } from './names';
import { isOwnTag } from './own_ui';
import { PageIndex } from './page_index';
import { inputType, roleOf } from './roles';

export const MOST_NODES = 2_000;
const MOST_BYTES = 250_000;
const LABEL_LIMIT = 30;
const TEXT_LIMIT = 80;
const TITLE_LIMIT = 200;
const NAME_LIMIT = 300;
const MOST_OPTIONS = 12;

const encoder = new TextEncoder();

/** Parts of a page that hold nothing to act on. */
const SKIPPED = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'head',
  'svg',
  'iframe',
  'object',
  'embed',
  'datalist',
]);

/** A scan, with what the recorder shows beside it. Elements stay in the page: they are not part of the payload. */
export interface Scan {
  payload: PageScanPayload;
  elements: ReadonlyMap<string, Element>;
  kinds: ReadonlyMap<string, Kind>;
  /** How many personal data were masked. */
  masked: number;
  /** Whether the page held more than may be sent. */
  truncated: boolean;
}

/** Scans the page of `env`, open at `path`. Linear in the size of the page; changes nothing on it. */
export function scanPage(env: Environment, path: string): Scan {
  return new Scanner(env).scan(path);
}

class Scanner {
  private readonly index: PageIndex;
  private readonly names: Names;
  private readonly locators: Locators;
  private readonly contexts: Contexts;
  private readonly closures: Closures;
  private readonly nodes: A11yNode[] = [];
  private readonly elements = new Map<string, Element>();
  private readonly kinds = new Map<string, Kind>();
  private readonly cleaned = new Map<string, Masked>();
  private bytes = 0;
  private truncated = false;
  /** The outermost parts around the current element that the page's author keeps private. */
  private readonly kept: Element[] = [];

  constructor(private readonly env: Environment) {
    this.index = new PageIndex(env);
    this.names = new Names(env, (control) => this.index.labelsOf(control));
    this.locators = new Locators(env, this.index);
    this.contexts = new Contexts(env, this.names, (text) => this.clean(text, TEXT_LIMIT));
    this.closures = new Closures(env, this.index);
  }

  scan(path: string): Scan {
    this.walk(this.env.body());
    return {
      payload: {
        urlPattern: proposePattern(path),
        pageTitle: this.clean(this.env.title(), TITLE_LIMIT),
        nodes: this.nodes,
      },
      elements: this.elements,
      kinds: this.kinds,
      masked: [...this.cleaned.values()].reduce((sum, { hidden }) => sum + hidden, 0),
      truncated: this.truncated,
    };
  }

  /** Document order without recursion: pages nest deeper than call stacks. */
  private walk(root: Element): void {
    const { env } = this;
    let element: Element | null = root;
    while (element !== null && !this.truncated) {
      const isSkipped = this.isSkipped(element);
      const inside: Element | null = isSkipped ? null : env.firstElement(element);
      if (!isSkipped) {
        const isPrivate = this.kept.length > 0 || isKeptPrivate(env, element);
        this.contexts.enter(element, isPrivate);
        this.visit(element, isPrivate);
      }
      if (inside !== null) {
        if (isKeptPrivate(env, element)) {
          this.kept.push(element);
        }
        element = inside;
        continue;
      }
      this.contexts.leave(element);
      while (element !== null && element !== root && env.nextElement(element) === null) {
        element = env.parent(element);
        if (element !== null) {
          this.contexts.leave(element);
          if (this.kept[this.kept.length - 1] === element) {
            this.kept.pop();
          }
        }
      }
      element = element === null || element === root ? null : env.nextElement(element);
    }
  }

  private isSkipped(element: Element): boolean {
    const tag = this.env.tag(element);
    return (
      SKIPPED.has(tag) ||
      isOwnTag(tag) ||
      this.env.attribute(element, 'inert') !== null ||
      this.env.attribute(element, 'data-circuy-ignore') !== null
    );
  }

  /** Keeps an element that matters; of a private one where it is and what it is, but no word. */
  private visit(element: Element, isPrivate: boolean): void {
    const kind = kindOf(this.env, element);
    if (kind === null) {
      return;
    }
    if (isPrivate && !kind.isInteractive) {
      return;
    }
    const place = this.placeOf(element);
    if (place === null) {
      return;
    }
    const name = this.nameOf(element, kind);
    if (name === null) {
      return;
    }
    const locator = this.locators.of(place.anchor, isPrivate);
    if (locator === null) {
      return;
    }
    const id = `n${this.nodes.length + 1}`;
    const node: A11yNode = {
      id,
      tag: this.env.tag(element),
      ...this.texts(element, isPrivate ? null : name),
      selector: locator.selector,
      ...(locator.fallback === null ? {} : { fallbackSelector: locator.fallback }),
      isInteractive: kind.isInteractive,
      ...optional('options', isPrivate ? [] : this.optionsOf(element)),
      ...optional('context', this.contexts.of(element)),
      ...optional('state', this.stateOf(element, place.opener)),
    };
    const bytes = encoder.encode(JSON.stringify(node)).length;
    if (this.nodes.length >= MOST_NODES || this.bytes + bytes > MOST_BYTES) {
      this.truncated = true;
      return;
    }
    this.bytes += bytes;
    this.nodes.push(node);
    this.elements.set(id, place.anchor);
    this.kinds.set(id, kind.kind);
  }

  /** Where people would act on the element, or null when they cannot reach it. */
  private placeOf(element: Element): { anchor: Element; opener: Element | null } | null {
    const { env } = this;
    if (env.isRendered(element)) {
      const style = env.style(element);
      const isReachable = style.pointerEvents !== 'none' || env.attribute(element, 'disabled') !== null;
      if (isReachable && env.hasBox(element) && style.opacity !== '0') {
        return { anchor: element, opener: null };
      }
    }
    // A control drawn by its label (custom checkboxes, upload buttons): people click the label.
    const label = this.index.labelsOf(element).find((candidate) => env.isRendered(candidate) && env.hasBox(candidate));
    if (label !== undefined) {
      return { anchor: label, opener: null };
    }
    const opener = this.closures.openerOf(element);
    return opener === null ? null : { anchor: element, opener };
  }

  /** The accessible name; null for what would be a button if it had one. */
  private nameOf(element: Element, kind: Kept): string | null {
    const name = this.names.of(element);
    if (kind.isGuess === undefined) {
      return name;
    }
    const said = name || this.names.contentOf(element);
    return said !== '' && said.length <= TEXT_LIMIT ? said : null;
  }

  /** `label` is null for a private element, whose words stay on the page. */
  private texts(
    element: Element,
    label: string | null,
  ): Pick<A11yNode, 'type' | 'label' | 'placeholder' | 'role' | 'name'> {
    const { env } = this;
    const tag = env.tag(element);
    const name = env.attribute(element, 'name') ?? '';
    const isNamed = ['input', 'select', 'textarea', 'button'].includes(tag) && !isGeneratedName(name);
    const type = tag === 'input' ? inputType(env, element) : tag === 'button' ? env.attribute(element, 'type') : null;
    return {
      ...optional('type', this.clean(type ?? '', TEXT_LIMIT)),
      ...optional('label', this.clean(label ?? '', LABEL_LIMIT)),
      ...optional(
        'placeholder',
        label === null ? '' : this.clean(env.attribute(element, 'placeholder') ?? '', TEXT_LIMIT),
      ),
      ...optional('role', this.clean(roleOf(env, element) ?? '', TEXT_LIMIT)),
      ...optional('name', isNamed ? this.clean(name, NAME_LIMIT) : ''),
    };
  }

  private optionsOf(element: Element): string[] {
    if (this.env.tag(element) !== 'select') {
      return [];
    }
    const options: string[] = [];
    const collect = (parent: Element) => {
      for (let child = this.env.firstElement(parent); child !== null; child = this.env.nextElement(child)) {
        if (options.length >= MOST_OPTIONS) {
          return;
        }
        if (this.env.tag(child) === 'option') {
          const text = this.clean(this.names.contentOf(child), TEXT_LIMIT);
          if (text !== '') {
            options.push(text);
          }
        } else {
          collect(child);
        }
      }
    };
    collect(element);
    return options;
  }

  private stateOf(element: Element, opener: Element | null): NodeState {
    const { env } = this;
    const openerSelector = opener === null ? undefined : this.locators.of(opener)?.selector;
    const checked = env.attribute(element, 'aria-checked');
    return {
      ...(opener === null ? {} : { closed: true as const }),
      ...(openerSelector === undefined ? {} : { opener: openerSelector }),
      ...(env.attribute(element, 'disabled') !== null || env.attribute(element, 'aria-disabled') === 'true'
        ? { disabled: true as const }
        : {}),
      ...(env.attribute(element, 'required') !== null || env.attribute(element, 'aria-required') === 'true'
        ? { required: true as const }
        : {}),
      ...(checked === 'true' || checked === 'false' ? { checked: checked === 'true' } : {}),
    };
  }

  private clean(text: string, limit: number): string {
    let masked = this.cleaned.get(text);
    if (masked === undefined) {
      masked = mask(foldSpaces(dropUnstorable(text)));
      this.cleaned.set(text, masked);
    }
    return cutGraphemes(masked.text, limit);
  }
}

function optional<Key extends string, Value extends object | string>(
  key: Key,
  value: Value,
): Partial<Record<Key, Value>> {
  const isEmpty = typeof value === 'string' ? value === '' : Object.keys(value).length === 0;
  return isEmpty ? {} : ({ [key]: value } as Record<Key, Value>);
}
