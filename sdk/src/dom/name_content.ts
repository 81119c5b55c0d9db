/**
 * What an element says by its content: text, pictures, words from style sheets, slots and open shadow roots, what it
 * owns. Controls inside say their label, never their value.
 */
import type { Environment } from './environment';
import { GeneratedText, type Place, type Sheets } from './generated_text';
import { LONGEST, NameWords, tidy } from './name_words';
import { isInPrivatePart, isInValue, isValueTag } from './private_words';
import { isBoxless, type Sight } from './sight';
import { writtenOn, type Written } from './written';

const SILENT = new Set(['script', 'style', 'template', 'noscript', 'head', 'rt', 'rp', 'audio', 'video', 'math']);
const SILENT_IN_PICTURES = new Set(['desc', 'metadata', 'defs', 'symbol']);
const EMBEDDED = new Set(['iframe', 'object', 'embed']);
/** What items of trees and menus hold further items in. */
const NESTS_ITEMS: Record<string, string> = { treeitem: 'group', menuitem: 'menu' };
const DEEPEST = 200;
/** What is made of more elements has no name by them; nor is it worth the time. */
const MOST_ELEMENTS = 2_000;

/** What names the parts of a content that are not named by theirs. */
export interface PartNames {
  labelledBy(element: Element): string;
  nativeName(element: Element, tag: string): string;
  buttonName(input: Element): string;
}

/** How a content is read. */
export interface Manner {
  sight: Sight;
  /** The role of the element. */
  role?: string | null;
  /** As part of another name: inside what `aria-labelledby` refers to, further references lead nowhere. */
  isReferred?: boolean;
  /** It labels a field, or is about one: words that a script may have copied out of the field do not count. */
  isNearField?: boolean;
  /** Of a longer content, only so much is read that it can be told to be longer than this. */
  longest?: number;
}

/** One reading of an element's content. */
interface Reading {
  readonly words: NameWords;
  readonly sight: Sight;
  readonly isReferred: boolean;
  /** The role whose elements hold further items of the same kind, which are not part of the name. */
  readonly skips: string;
  readonly sheets: Sheets | null;
  /** Whether words from style sheets count, and those that look copied from an attribute. */
  readonly asks: boolean;
  readonly takesCopies: boolean;
  readonly progress: Progress;
}

/** What comes up in a reading, shared with the trees inside. */
interface Progress {
  elements: number;
  /** Elements that `aria-owns` brought in: each once, so that a circle of them ends. */
  owned: Set<Element> | null;
  hasField: boolean;
  hasCopies: boolean;
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

  /** The content of `element`: empty when it is a value, or kept private. */
  of(element: Element, manner: Manner): string {
    const { owns, isPrivate, isValue } = writtenOn(this.env, element);
    if (isPrivate || isValue || isValueTag(this.env.tag(element))) {
      return '';
    }
    const isShown = manner.sight === 'shown';
    const text = this.read(element, owns, manner, isShown);
    // Asking for generated words makes the browser work out styles that it has not needed yet: only for want of others.
    return text === '' && !isShown ? this.read(element, owns, manner, true) : text;
  }

  private read(element: Element, owns: string | null, manner: Manner, asks: boolean): string {
    const { sight, role, isReferred = false, isNearField = false, longest = LONGEST } = manner;
    const words = new NameWords(this.env, longest);
    const hasField = isNearField || this.env.tag(element) === 'label';
    const progress: Progress = { elements: 0, owned: null, hasField, hasCopies: false };
    const reading: Reading = {
      words,
      sight,
      isReferred,
      skips: NESTS_ITEMS[role ?? ''] ?? '',
      sheets: this.generated.sheetsAround(element),
      asks,
      takesCopies: !hasField,
      progress,
    };
    this.addContent(reading, element, owns, 0);
    // The field may come after the words.
    const mayTell = reading.takesCopies && progress.hasField && progress.hasCopies;
    return mayTell ? this.read(element, owns, { ...manner, isNearField: true }, asks) : words.toString();
  }

  private addContent(reading: Reading, element: Element, owns: string | null, depth: number): void {
    const { env } = this;
    if (depth > DEEPEST) {
      return;
    }
    const tag = env.tag(element);
    // Nothing stands before or after what is drawn.
    const inside = reading.asks && tag === 'svg' ? { ...reading, asks: false } : reading;
    const mayBeDecorated = inside.asks && this.generated.mayHave(element, reading.sheets);
    if (mayBeDecorated) {
      this.addGenerated(reading, element, '::before');
    }
    const shadow = env.shadowOf(element);
    if (shadow !== null) {
      // In there, other style sheets apply than those that were read.
      this.addNodes({ ...reading, sheets: null }, shadow, depth);
    } else if (tag !== 'slot' || !this.addAssigned(reading, element, depth)) {
      this.addInside(inside, element, depth);
    }
    if (owns !== null) {
      this.addOwned(reading, element, owns, depth);
    }
    if (mayBeDecorated && !isOver(reading)) {
      this.addGenerated(reading, element, '::after');
    }
  }

  private addGenerated({ words, takesCopies, progress }: Reading, element: Element, place: Place): void {
    const found = this.generated.at(element, place);
    if (found === null) {
      return;
    }
    progress.hasCopies ||= found.isCopied;
    if (found.isCopied && !takesCopies) {
      return;
    }
    if (found.isInline) {
      words.add(found.text);
    } else {
      words.addApart(found.text);
    }
  }

  /** Most elements hold nothing but a text: one question gives it. */
  private addInside(reading: Reading, element: Element, depth: number): void {
    if (this.env.firstElement(element) === null) {
      reading.words.add(this.env.allText(element));
    } else {
      this.addNodes(reading, element, depth);
    }
  }

  private addNodes(reading: Reading, parent: Node, depth: number): void {
    const { env } = this;
    for (let node = env.firstChild(parent); node !== null && !isOver(reading); node = env.nextSibling(node)) {
      this.addNode(reading, node, depth);
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
      if (isOver(reading)) {
        break;
      }
      this.addNode(reading, node, depth);
    }
    return nodes.length > 0;
  }

  private addOwned(reading: Reading, owner: Element, ids: string, depth: number): void {
    const { env } = this;
    const owned = (reading.progress.owned ??= new Set([owner]));
    for (const id of ids.split(/\s+/)) {
      const target = id === '' || isOver(reading) ? null : env.byId(id, owner);
      if (target !== null && !owned.has(target) && !isInPrivatePart(env, target) && !isInValue(env, target)) {
        owned.add(target);
        this.addElement(reading, target, depth + 1);
      }
    }
  }

  private addElement(reading: Reading, element: Element, depth: number): void {
    const { words, progress } = reading;
    const tag = this.env.tag(element);
    progress.elements += 1;
    if (SILENT.has(tag)) {
      return;
    }
    if (tag === 'br') {
      words.break();
      return;
    }
    const written = writtenOn(this.env, element);
    const isValue = written.isValue || isValueTag(tag);
    progress.hasField ||= isValue || tag === 'label';
    if (written.isPrivate || this.isUnheard(reading, element, tag, written)) {
      return;
    }
    words.edge(element);
    const name = (written.isLabelled && !reading.isReferred && this.source.labelledBy(element)) || written.label;
    if (name !== '' || isValue) {
      words.addApart(name || (tag === 'input' ? this.source.buttonName(element) : ''));
    } else {
      this.addUnnamed(reading, element, tag, written, depth);
    }
    words.edge(element);
  }

  private isUnheard({ sight, skips }: Reading, element: Element, tag: string, written: Written): boolean {
    const { env } = this;
    if (written.role !== '' && written.role === skips) {
      return true;
    }
    if (sight === 'all') {
      return false;
    }
    if (written.isHidden || SILENT_IN_PICTURES.has(tag)) {
      return true;
    }
    if (tag === 'title') {
      return false;
    }
    // Browsers have worked out no style in closed parts, and take their time to: for pictures without words it does not matter.
    return sight === 'closed'
      ? env.allText(element).trim() !== '' && env.style(element).display === 'none'
      : !env.isRendered(element) && !isBoxless(env, element);
  }

  /** Adds an element that is called by what it is, by its content or by its title. */
  private addUnnamed(reading: Reading, element: Element, tag: string, written: Written, depth: number): void {
    const { words } = reading;
    const { role, title } = written;
    if (tag === 'img' || tag === 'area') {
      if (role !== 'presentation') {
        const alternative = this.env.attribute(element, 'alt');
        words.addApart(alternative === null ? title : tidy(alternative));
      }
      return;
    }
    if (EMBEDDED.has(tag) || role === 'img') {
      words.addApart((tag === 'svg' ? this.source.nativeName(element, tag) : '') || title);
      return;
    }
    const native = role === 'presentation' ? '' : this.alternative(element, tag);
    const { length } = words;
    if (native !== '') {
      words.addApart(native);
    } else {
      this.addContent(reading, element, written.owns, depth);
    }
    if (title !== '' && !words.hasMoreThan(length)) {
      words.addApart(title);
    }
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
}

function isOver({ words, progress }: Reading): boolean {
  return words.isFull || progress.elements > MOST_ELEMENTS;
}
