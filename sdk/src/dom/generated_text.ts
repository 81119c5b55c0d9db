/**
 * The words that style sheets put before and after elements. Asking the browser for them costs more than all else about
 * a name, so that where the page's style sheets can be read, only elements that a rule with words is about are asked.
 */
import { foldSpaces } from '../core/text';
import type { Environment, Tree } from './environment';

export type Place = '::before' | '::after';

export interface Words {
  readonly text: string;
  /** Whether they stand in the line of the element's text. */
  readonly isInline: boolean;
  /** Whether they are, or look like, those of an attribute of the element: a script may have put there what was typed. */
  readonly isCopied: boolean;
}

/** What one tree's style sheets say. */
export interface Sheets {
  /** Which elements may have words: null when it could be any of them. */
  selector: string | null;
  isRead: boolean;
  /** Reading one rule for the first time costs about as much as asking one element. */
  rules: number;
  asked: number;
}

/** Beyond, asking the element is quicker than matching it. */
const MOST_SELECTORS = 100;
const PLACES = /::?(?:before|after)\b/g;
const IS_PLACED = /:(?:before|after)\b/;
const STRINGS = /(url\()?"((?:[^"\\]|\\[^])*)"|attr\(\s*([\w-]+)\s*\)/g;
const HAS_WORD = /[\p{L}\p{N}]/u;
/** What these say is for style sheets and scripts. */
const NEVER_SHOWN = new Set(['class', 'for', 'id', 'name', 'role', 'type']);
const ESCAPED = /\\([0-9a-f]{1,6}) ?|\\([^])/gi;
/** Strings of icon fonts and spaces, and words that stand for no text. */
const WORDLESS = /^(?:"[\s\ue000-\uf8ff\u{f0000}-\u{10ffff}]*"|none|normal|(?:no-)?(?:open|close)-quote|\s)*$/u;

/** A rule of any kind, as far as it matters here. */
interface AnyRule {
  selectorText?: string;
  style?: CSSStyleDeclaration;
  cssRules?: CSSRuleList;
  styleSheet?: CSSStyleSheet | null;
}

/** Reads generated words in one page as it is now. */
export class GeneratedText {
  private readonly byTree = new Map<Tree, Sheets>();

  constructor(private readonly env: Environment) {}

  /** The style sheets of the tree that `element` is in; null when it is in none. */
  sheetsAround(element: Element): Sheets | null {
    const tree = this.env.treeOf(element);
    if (tree === null) {
      return null;
    }
    let sheets = this.byTree.get(tree);
    if (sheets === undefined) {
      sheets = this.open(tree);
      this.byTree.set(tree, sheets);
    }
    return sheets;
  }

  /** Whether a style sheet may put words around `element`; true also where that cannot be told without asking it. */
  mayHave(element: Element, sheets: Sheets | null): boolean {
    if (sheets === null) {
      return true;
    }
    if (!sheets.isRead) {
      sheets.asked += 1;
      if (sheets.asked < sheets.rules) {
        return true;
      }
      this.read(sheets, this.env.treeOf(element));
    }
    if (sheets.selector === null || sheets.selector === '') {
      return sheets.selector === null;
    }
    try {
      return this.env.matches(element, sheets.selector);
    } catch {
      sheets.selector = null;
      return true;
    }
  }

  /** The words at one place of `element`; null when there are none. */
  at(element: Element, place: Place): Words | null {
    const style = this.env.style(element, place);
    const content = style.getPropertyValue('content');
    if (content === 'none' || content === 'normal' || content === '' || content === '""') {
      return null;
    }
    if (style.display === 'none' || style.visibility !== 'visible') {
      return null;
    }
    const [shown, said] = splitAlternative(content);
    const text = this.stringsIn(said ?? shown, element);
    return text === ''
      ? null
      : {
          text,
          isInline: style.display === 'inline' && said === undefined,
          isCopied: content.includes('attr(') || this.isOnAttribute(element, text),
        };
  }

  /** Browsers have put the text in the place of `attr()`, and of a property in `style`: only what it says tells. */
  private isOnAttribute(element: Element, text: string): boolean {
    const said = foldSpaces(text);
    return (
      HAS_WORD.test(said) &&
      this.env.attributeNames(element).some((name) => {
        const value = NEVER_SHOWN.has(name) ? '' : foldSpaces(this.env.attribute(element, name) ?? '');
        return value !== '' && (said.includes(value) || value.includes(said));
      })
    );
  }

  private stringsIn(content: string, element: Element): string {
    let text = '';
    for (const [, address, written, attribute] of content.matchAll(STRINGS)) {
      if (written !== undefined && address === undefined) {
        text += written.replace(ESCAPED, (_, code: string | undefined, sign: string | undefined) =>
          code === undefined ? (sign ?? '') : String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff)),
        );
      } else if (attribute !== undefined) {
        text += this.env.attribute(element, attribute) ?? '';
      }
    }
    return text;
  }

  private open(tree: Tree): Sheets {
    const sheets: Sheets = { selector: '', isRead: false, rules: 0, asked: 0 };
    try {
      for (const sheet of this.env.sheetsOf(tree)) {
        sheets.rules += sheet.cssRules.length;
      }
    } catch {
      // A style sheet of another site may say anything, and may not be read.
      return { ...sheets, selector: null, isRead: true };
    }
    return sheets;
  }

  private read(sheets: Sheets, tree: Tree | null): void {
    sheets.isRead = true;
    const selectors: string[] = [];
    try {
      for (const sheet of tree === null ? [] : this.env.sheetsOf(tree)) {
        collect(sheet.cssRules, '', selectors);
      }
      sheets.selector = selectors.length > MOST_SELECTORS ? null : selectors.join(',');
    } catch {
      sheets.selector = null;
    }
  }
}

/** Adds the elements that rules put words around; `parent` is the selector of the rule that these are nested in. */
function collect(rules: CSSRuleList, parent: string, selectors: string[]): void {
  for (let i = 0; i < rules.length && selectors.length <= MOST_SELECTORS; i += 1) {
    const rule = rules[i] as AnyRule;
    const selector = rule.selectorText === undefined ? parent : nested(rule.selectorText, parent);
    if (
      rule.style !== undefined &&
      IS_PLACED.test(selector) &&
      !WORDLESS.test(rule.style.getPropertyValue('content'))
    ) {
      selectors.push(selector.replaceAll(PLACES, ':is(*)'));
    }
    if (rule.cssRules !== undefined && rule.cssRules.length > 0) {
      collect(rule.cssRules, selector, selectors);
    }
    if (rule.styleSheet) {
      collect(rule.styleSheet.cssRules, '', selectors);
    }
  }
}

function nested(selector: string, parent: string): string {
  if (parent === '') {
    return selector;
  }
  return selector.includes('&') ? selector.replaceAll('&', `:is(${parent})`) : `:is(${parent}) ${selector}`;
}

/** What is shown and, after a slash, what is said instead. */
function splitAlternative(content: string): [string, string?] {
  const at = content.replace(/"(?:[^"\\]|\\[^])*"/g, (text) => '_'.repeat(text.length)).indexOf(' / ');
  return at < 0 ? [content] : [content.slice(0, at), content.slice(at + 3)];
}
