import { foldSpaces } from '../core/text';
import type { Environment } from './environment';

/** No name goes on for longer: who hears more than this has a text, not a name. */
export const LONGEST = 2_000;
const GLYPHS = /[\ue000-\uf8ff\u{f0000}-\u{10ffff}]/gu;

/**
 * Puts the words of a name together as the page shows them: in one line they touch ("Télé" and "charger"), but what is
 * laid out apart is heard apart.
 */
export class NameWords {
  private text = '';
  /** Elements that begin or end between the last word and the next. */
  private readonly edges: Element[] = [];
  private isApart = false;
  /** How many characters there are at least, whatever is folded or left out in the end. */
  private count = 0;
  private isSpaced = false;

  /** Once there are more than `longest` characters, no more are needed. */
  constructor(
    private readonly env: Environment,
    private readonly longest = LONGEST,
  ) {}

  get length(): number {
    return this.text.length;
  }

  /** Whether the words so far are longer than `longest` however they are tidied. */
  get isFull(): boolean {
    return this.count > this.longest;
  }

  /** Words in the line of the others. */
  add(words: string): void {
    if (words === '') {
      return;
    }
    const { text } = this;
    const doTouch = text !== '' && !isSpace(text.charCodeAt(text.length - 1)) && !isSpace(words.charCodeAt(0));
    this.text = doTouch && (this.isApart || this.crossesBox()) ? `${text} ${words}` : text + words;
    this.measure(words);
    this.isApart = false;
    if (this.edges.length > 0) {
      this.edges.length = 0;
    }
  }

  /** Words that stand for an element: never in one word with others. */
  addApart(words: string): void {
    this.isApart = true;
    this.add(words);
    this.isApart = true;
  }

  break(): void {
    this.isApart = true;
  }

  /** An element begins or ends here: whether in the same line or not is asked only when two words would touch. */
  edge(element: Element): void {
    const { text } = this;
    if (!this.isApart && text !== '' && !isSpace(text.charCodeAt(text.length - 1))) {
      this.edges.push(element);
    }
  }

  /** Whether any words came after the first `length` characters. */
  hasMoreThan(length: number): boolean {
    return this.text.length > length && this.text.slice(length).trim() !== '';
  }

  toString(): string {
    return tidy(this.text);
  }

  /** Counts all signs that may be folded as spaces, and no glyph: better too few than too many. */
  private measure(words: string): void {
    for (let i = 0; i < words.length; i += 1) {
      const code = words.charCodeAt(i);
      if (isSpace(code) || (code >= 0x1680 && code <= 0x3000) || code === 0xfeff) {
        this.isSpaced = this.count > 0;
      } else if (code < 0xd800 || code >= 0xf900) {
        this.count += this.isSpaced ? 2 : 1;
        this.isSpaced = false;
      }
    }
  }

  private crossesBox(): boolean {
    for (const element of this.edges) {
      if (this.env.style(element).display !== 'inline') {
        return true;
      }
    }
    return false;
  }
}

/** `text` on one line, without the private characters that icon fonts draw their pictures at. */
export function tidy(text: string): string {
  let isTidy = true;
  let last = 32;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code >= 0xdb80 && code <= 0xf8ff && (code <= 0xdbff || code >= 0xe000)) {
      return foldSpaces(text.replace(GLYPHS, ''));
    }
    isTidy &&= code === 32 ? last !== 32 : code > 32 && code < 0xa0 ? true : code > 0xa0 && code < 0x1680;
    last = code;
  }
  return isTidy && last !== 32 ? text : foldSpaces(text);
}

function isSpace(code: number): boolean {
  return code <= 32 || code === 0xa0;
}
