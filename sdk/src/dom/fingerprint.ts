/**
 * What is remembered of an element, to tell on a later page whether an element is the same one: its role, and hashes of
 * its name, of the attributes that its page gave it, and of where it stood. No word of the page is in it.
 *
 *   role ~ name ~ attributes (joined by ".") ~ heading ~ form and group ~ row and column ~ language
 */
import type { NodeContext } from '../api/wire';
import { isGeneratedName } from '../core/generated_names';
import type { Environment } from './environment';

const MOST_ATTRIBUTES = 8;
const LONGEST_QUERY = 60;
const REMEMBERED = new Set(['id', 'name', 'type', 'data-testid', 'data-test', 'data-cy', 'for', 'autocomplete']);

const PLAIN_ROLE = /^[a-z-]{1,24}$/;

/** What may hold an address or a number in any script. */
const VARYING = /[0-9@]|[^\0-\u024f\u2000-\u206f]/;

export interface Fingerprint {
  role: string;
  name: string;
  attributes: readonly string[];
  heading: string;
  form: string;
  row: string;
  language: string;
}

/** How two fingerprints compare; `attributes` is the number of equal ones. */
export interface Likeness {
  name: boolean;
  attributes: number;
  heading: boolean;
  form: boolean;
  row: boolean;
}

/** Takes the fingerprints of one page; what many elements share is worked out once. */
export class Fingerprints {
  private readonly words = new Map<string, string>();
  private readonly language: string;

  /** `isClean`: whether a text holds nothing to mask; what does is not remembered, not even as a hash. */
  constructor(
    private readonly env: Environment,
    private readonly isClean: (text: string) => boolean,
  ) {
    this.language = (env.attribute(env.root(), 'lang') ?? '')
      .slice(0, 2)
      .toLowerCase()
      .replace(/[^a-z]/g, '');
  }

  /** `name` and `context` are the page's own words. Of a private element only the role and the place are kept. */
  of(element: Element, role: string | null, name: string, context: NodeContext, isPrivate = false): Fingerprint {
    return {
      role: kindOfRole(this.env, element, role),
      name: this.isClean(name) ? wordsHash(name) : '',
      attributes: isPrivate ? [] : this.attributesOf(element),
      heading: this.shared(context.heading ?? ''),
      form: this.shared((context.form ?? '') + (context.group ?? '')),
      row: this.shared((context.row ?? '') + (context.column ?? '')),
      language: this.language,
    };
  }

  private attributesOf(element: Element): string[] {
    const { env } = this;
    const found: string[] = [];
    for (const name of env.attributeNames(element)) {
      if (name === 'href') {
        const place = lastParts(env.attribute(element, name) ?? '');
        if (place !== '' && this.isClean(place)) {
          found.push(hash(`href=${place}`));
        }
      } else if (REMEMBERED.has(name)) {
        const value = env.attribute(element, name) ?? '';
        if (value !== '' && !isGeneratedName(value) && this.isClean(value)) {
          found.push(hash(`${name}=${value}`));
        }
      }
    }
    return found.length > MOST_ATTRIBUTES ? found.slice(0, MOST_ATTRIBUTES) : found;
  }

  private shared(text: string): string {
    let known = this.words.get(text);
    if (known === undefined) {
      known = this.isClean(text) ? wordsHash(text) : '';
      this.words.set(text, known);
    }
    return known;
  }
}

/** `role`, cut to what a fingerprint may hold; the tag of what has none. */
export function kindOfRole(env: Environment, element: Element, role: string | null): string {
  const said = role ?? `tag-${env.tag(element)}`;
  return PLAIN_ROLE.test(said) ? said : said.replace(/[^a-z-]/g, '').slice(0, 24);
}

/** What a text becomes in a fingerprint: counters in it ("Inbox (3)") and addresses do not matter. */
export function wordsHash(text: string): string {
  return text === '' ? '' : hash(fold(text));
}

export function writeFingerprint(print: Fingerprint): string {
  const { role, name, attributes, heading, form, row, language } = print;
  return [role, name, attributes.join('.'), heading, form, row, language].join('~');
}

/** Null for what is none, or one of another version of this code. */
export function readFingerprint(text: string | undefined): Fingerprint | null {
  const parts = text?.split('~') ?? [];
  if (parts.length !== 7) {
    return null;
  }
  const [role = '', name = '', attributes = '', heading = '', form = '', row = '', language = ''] = parts;
  return { role, name, attributes: attributes === '' ? [] : attributes.split('.'), heading, form, row, language };
}

export function compare(a: Fingerprint, b: Fingerprint): Likeness {
  return {
    name: a.name === b.name,
    attributes: a.attributes.filter((value) => b.attributes.includes(value)).length,
    heading: isShared(a.heading, b.heading),
    form: isShared(a.form, b.form),
    row: isShared(a.row, b.row),
  };
}

/** That both have none says nothing. */
function isShared(a: string, b: string): boolean {
  return a !== '' && a === b;
}

/**
 * The end of a link's path: the start is another one where the application is installed elsewhere. With its query, where
 * that is short: it is what tells the filters of a list apart.
 */
function lastParts(href: string): string {
  const [path = '', query = ''] = (href.split('#', 1)[0] ?? '').split('?', 2);
  const end = path
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .slice(-2)
    .join('/');
  return query === '' || query.length > LONGEST_QUERY ? end : `${end}?${fold(query)}`;
}

/** Without what varies from one visit to the next, or is nobody's business: counters, addresses, long numbers. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  return VARYING.test(lower)
    ? lower
        .replace(/[([]\s*\p{Nd}+\s*[)\]]/gu, '')
        .replace(/\S*@\S*/g, '')
        .replace(/\p{Nd}(?:[ .-]?\p{Nd}){4,}/gu, '0')
        .trim()
    : lower;
}

/** FNV-1a, cut to about 25 bits: elements are told apart within one page, not more. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  return (value >>> 0).toString(36).slice(-5);
}
