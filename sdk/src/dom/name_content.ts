/**
 * What an element says by its content: text, pictures, words from style sheets, slots and open shadow roots, what it
 * owns. Controls inside say their label, never their value.
 */
import type { Environment } from './environment';
import { GeneratedText, type Sheets } from './generated_text';
import { NameWords, tidy } from './name_words';
import { isEditable, roleOf } from './roles';

/** Which parts of an element speak: those on screen; those that will be when it is opened; all, for it is referred to. */
export type Sight = 'shown' | 'closed' | 'all';

export const HOLDS_VALUE = new Set(['input', 'textarea', 'select', 'datalist', 'output', 'meter', 'progress']);
export const HOLDS_VALUE_ROLES = new Set([
  'textbox',
  'searchbox',
  'combobox',
  'listbox',
  'slider',
  'spinbutton',
  'scrollbar',
  'meter',
  'progressbar',
]);
const SILENT = new Set(['script', 'style', 'template', 'noscript', 'head', 'rt', 'rp', 'audio', 'video', 'math']);
const SILENT_IN_PICTURES = new Set(['desc', 'metadata', 'defs', 'symbol']);
const EMBEDDED = new Set(['iframe', 'object', 'embed']);
/** What items of trees and menus hold further items in. */
const NESTS_ITEMS: Record<string, string> = { treeitem: 'group', menuitem: 'menu' };
const DEEPEST = 200;

/** Whether the page's author marked the element with `data-circuy-mask`: its words are for nobody but its user. */
export function isKeptPrivate(env: Environment, element: Element): boolean {
  return env.attribute(element, 'data-circuy-mask') !== null;
}

/** Whether its author, or that of a part that it is in, keeps the words of `element` on the page. */
export function isInPrivatePart(env: Environment, element: Element): boolean {
  for (let current: Element | null = element; current !== null; current = env.parent(current)) {
    if (isKeptPrivate(env, current)) {
      return true;
    }
  }
  return false;
}

/** What names the parts of a content that are not named by theirs. */
export interface PartNames {
  labelledBy(element: Element): string;
  nativeName(element: Element, tag: string): string;
  buttonName(input: Element): string;
}

/** One reading of an element's content. */
interface Reading {
  words: NameWords;
  sight: Sight;
  /** Inside what `aria-labelledby` refers to, further references lead nowhere. */
  isReferred: boolean;
  /** The role whose elements hold further items of the same kind, which are not part of the name. */
  skips: string;
  /** Elements that `aria-owns` brought in: each once, so that a circle of them ends. */
  owned: Set<Element> | null;
  sheets: Sheets | null;
  /** Whether words from style sheets count. */
  asks: boolean;
}

/** Reads contents in one page, as it is when this is made. */
export class NameContent {
  private readonly generated: GeneratedText;

  constructor(
    private readonly env: Environment,
    private readonly source: PartNames,
  ) {
    this.generated = new GeneratedText(env);
  }

  /** The content of `element`, whose role is `role`; as part of another name when `isReferred`. */
  of(element: Element, sight: Sight, isReferred: boolean, role: string): string {
    if (isKeptPrivate(this.env, element)) {
      return '';
    }
    const isShown = sight === 'shown';
    const text = this.read(element, sight, isReferred, role, isShown);
    // Asking for generated words makes the browser work out styles that it has not needed yet: only for want of others.
    return text === '' && !isShown ? this.read(element, sight, isReferred, role, true) : text;
  }

  private read(element: Element, sight: Sight, isReferred: boolean, role: string, asks: boolean): string {
    const { env } = this;
    const words = new NameWords(env);
    const sheets = this.generated.sheetsAround(element);
    const owns = env.attribute(element, 'aria-owns');
    const isPlain = env.firstElement(element) === null && owns === null && env.shadowOf(element) === null;
    if (!isPlain || env.tag(element) === 'slot') {
      const skips = NESTS_ITEMS[role] ?? '';
      this.addContent({ words, sight, isReferred, skips, owned: null, sheets, asks }, element, owns, 0);
      return words.toString();
    }
    const text = env.allText(element);
    if (!asks || !this.generated.mayHave(element, sheets)) {
      return tidy(text);
    }
    this.addGenerated(words, element, '::before');
    words.add(text);
    this.addGenerated(words, element, '::after');
    return words.toString();
  }

  private addContent(reading: Reading, element: Element, owns: string | null, depth: number): void {
    const { env } = this;
    const { words } = reading;
    if (depth > DEEPEST || words.isFull) {
      return;
    }
    const mayBeDecorated = reading.asks && this.generated.mayHave(element, reading.sheets);
    if (mayBeDecorated) {
      this.addGenerated(words, element, '::before');
    }
    const shadow = env.shadowOf(element);
    if (shadow !== null) {
      // In there, other style sheets apply than those that were read.
      this.addChildren({ ...reading, sheets: null }, shadow, depth);
    } else if (env.tag(element) !== 'slot' || !this.addAssigned(reading, element, depth)) {
      this.addChildren(reading, element, depth);
    }
    if (owns !== null) {
      this.addOwned(reading, element, owns, depth);
    }
    if (mayBeDecorated) {
      this.addGenerated(words, element, '::after');
    }
  }

  private addGenerated(words: NameWords, element: Element, place: '::before' | '::after'): void {
    const found = this.generated.at(element, place);
    if (found?.isInline === true) {
      words.add(found.text);
    } else if (found !== null) {
      words.addApart(found.text);
    }
  }

  private addChildren(reading: Reading, parent: Node, depth: number): void {
    const { env } = this;
    for (let child = env.firstChild(parent); child !== null; child = env.nextSibling(child)) {
      this.addNode(reading, child, depth);
    }
  }

  private addNode(reading: Reading, node: Node, depth: number): void {
    const text = this.env.textOf(node);
    if (text !== null) {
      reading.words.add(text);
    } else if (this.env.isElement(node)) {
      this.addElement(reading, node, depth + 1);
    }
  }

  /** False when the page put nothing into the slot, which then shows its own content. */
  private addAssigned(reading: Reading, slot: Element, depth: number): boolean {
    const nodes = this.env.assignedTo(slot);
    for (const node of nodes) {
      this.addNode(reading, node, depth);
    }
    return nodes.length > 0;
  }

  private addOwned(reading: Reading, owner: Element, ids: string, depth: number): void {
    reading.owned ??= new Set([owner]);
    for (const id of ids.split(/\s+/)) {
      const target = id === '' ? null : this.env.byId(id, owner);
      if (target !== null && !reading.owned.has(target) && !isInPrivatePart(this.env, target)) {
        reading.owned.add(target);
        this.addElement(reading, target, depth + 1);
      }
    }
  }

  private addElement(reading: Reading, element: Element, depth: number): void {
    const { env } = this;
    const { words, sight } = reading;
    const tag = env.tag(element);
    if (SILENT.has(tag)) {
      return;
    }
    if (tag === 'br') {
      words.break();
      return;
    }
    let role = '';
    let label = '';
    let title = '';
    let owns: string | null = null;
    let isLabelled = false;
    let isEdited = false;
    // Most elements have no attribute that matters here: one question tells.
    const attributes = env.attributeNames(element);
    for (const attribute of attributes) {
      switch (attribute) {
        case 'role':
          role = roleOf(env, element) ?? 'presentation';
          break;
        case 'aria-label':
          label = tidy(env.attribute(element, 'aria-label') ?? '');
          break;
        case 'title':
          title = tidy(env.attribute(element, 'title') ?? '');
          break;
        case 'aria-owns':
          owns = env.attribute(element, 'aria-owns');
          break;
        case 'aria-labelledby':
          isLabelled = !reading.isReferred;
          break;
        case 'contenteditable':
          isEdited = isEditable(env, element);
          break;
        case 'aria-hidden':
          if (sight !== 'all' && env.attribute(element, 'aria-hidden') === 'true') {
            return;
          }
          break;
        case 'data-circuy-mask':
          return;
      }
    }
    if (this.isUnseen(element, tag, sight) || (role !== '' && role === reading.skips)) {
      return;
    }
    words.edge(element);
    const name = (isLabelled ? this.source.labelledBy(element) : '') || label;
    const holdsValue = HOLDS_VALUE.has(tag) || isEdited || HOLDS_VALUE_ROLES.has(role);
    if (name !== '' || holdsValue) {
      words.addApart(name || (tag === 'input' ? this.source.buttonName(element) : ''));
    } else if (tag === 'img' || tag === 'area') {
      this.addPicture(words, element, role, title);
    } else if (EMBEDDED.has(tag) || role === 'img') {
      words.addApart((tag === 'svg' ? this.source.nativeName(element, tag) : '') || title);
    } else {
      const native = role === 'presentation' ? '' : this.alternative(element, tag);
      const { length } = words;
      if (native !== '') {
        words.addApart(native);
      } else {
        this.addContent(reading, element, owns, depth);
      }
      if (title !== '' && !words.hasMoreThan(length)) {
        words.addApart(title);
      }
    }
    words.edge(element);
  }

  private isUnseen(element: Element, tag: string, sight: Sight): boolean {
    const { env } = this;
    if (sight === 'all') {
      return false;
    }
    if (SILENT_IN_PICTURES.has(tag)) {
      return true;
    }
    if (sight === 'closed') {
      // Browsers have worked out no style in there, and take their time to: for pictures without words it does not matter.
      return tag !== 'title' && env.allText(element).trim() !== '' && env.style(element).display === 'none';
    }
    return !env.isRendered(element) && tag !== 'title' && env.style(element).display !== 'contents';
  }

  /** What names an element inside another in place of its content. */
  private alternative(element: Element, tag: string): string {
    switch (tag) {
      case 'svg':
      case 'fieldset':
      case 'table':
        return this.source.nativeName(element, tag);
      default:
        return '';
    }
  }

  private addPicture(words: NameWords, element: Element, role: string, title: string): void {
    if (role !== 'presentation') {
      const alternative = this.env.attribute(element, 'alt');
      words.addApart(alternative === null ? title : tidy(alternative));
    }
  }
}
