/**
 * Two selectors for an element, each finding it alone at the time of the scan: one to use, and one that stands when
 * what carried the first has changed.
 */
import { attributeSelector, escapeIdentifier } from '../core/css';
import { isGeneratedName } from '../core/generated_names';
import { proposePattern } from '../core/routes';
import { dropUnstorable } from '../core/text';
import { LASTING, TEST_ID_ATTRIBUTES, WORDED } from './attributes';
import type { Environment } from './environment';
import { mayAnchor, type PageIndex } from './page_index';
import { holdsChosenValue } from './private_words';
import { inputType, roleOf } from './roles';
import { ENTER, type Ways } from './survey';

const LONGEST = 300;
/** Attributes by the trust in them; those that say words come last. */
const RANKS = new Map<string, number>();
for (const name of [...TEST_ID_ATTRIBUTES, 'id', ...LASTING, ...WORDED]) {
  RANKS.set(name, RANKS.size);
}
const FIRST_WORDED = RANKS.size - WORDED.length;
const OF_ANY_TAG = new Set([...TEST_ID_ATTRIBUTES, 'id']);

export interface Locator {
  selector: string;
  fallback: string | null;
}

/** What is being found for an element: two selectors, and what the first rests on. */
interface Pair {
  primary: string;
  fallback: string;
  family: string;
  anchor: Element | null;
}

/** Makes locators in one tree of the page; `entrance` leads to that tree, and is empty for the page itself. */
export class Locators implements Ways {
  private readonly anchors = new Map<Element, string | null>();
  /** The ancestor that the selector made last starts from. */
  private leansOn: Element | null = null;
  /** Null for what is too deep to be written. */
  private readonly paths = new Map<Element, string | null>();
  /** What was found of a value that many elements share. */
  private readonly lasting = new Map<string, boolean>();
  private readonly links = new Map<string, boolean>();
  private readonly harmless = new Map<string, boolean>();

  constructor(
    private readonly env: Environment,
    private readonly index: PageIndex,
    /** Whether a value holds no personal data. */
    private readonly isClean: (value: string) => boolean,
    private readonly entrance = '',
  ) {}

  /**
   * Null when no selector of a reasonable length finds `element` alone. `withoutWords` keeps to what names a place in
   * the page, for an element whose words must not leave it.
   */
  of(element: Element, withoutWords = false): Locator | null {
    const { primary, fallback } = this.find(element, withoutWords);
    const selector = primary === '' ? null : withinLimit(this.entrance + primary);
    return selector === null
      ? null
      : { selector, fallback: fallback === '' ? null : withinLimit(this.entrance + fallback) };
  }

  private find(element: Element, withoutWords = false): Pair {
    const tag = this.env.tag(element);
    const pair: Pair = { primary: '', fallback: '', family: '', anchor: null };
    const names = this.ranked(element);
    const lasting = names.filter((name) => (RANKS.get(name) ?? 0) < FIRST_WORDED && !(withoutWords && name === 'href'));
    const worded = withoutWords ? [] : names.filter((name) => (RANKS.get(name) ?? 0) >= FIRST_WORDED);
    const isFound =
      lasting.some((name) => this.offer(pair, name, this.byAttribute(element, tag, name))) ||
      this.offer(pair, 'place', this.byPlace(element)) ||
      worded.some((name) => this.offer(pair, 'words', this.byWords(element, tag, name)));
    if (!isFound) {
      const path = pair.anchor === null ? this.pathTo(element) : this.pathBeyond(element, pair.anchor);
      this.leansOn = null;
      this.offer(pair, 'path', path);
    }
    return pair;
  }

  /** Takes the first two selectors that rest neither on the same attribute nor on the same ancestor; true with both. */
  private offer(pair: Pair, family: string, selector: string | null): boolean {
    if (selector === null || family === pair.family || (pair.anchor !== null && this.leansOn === pair.anchor)) {
      return false;
    }
    if (pair.primary === '') {
      pair.primary = selector;
      pair.family = family;
      pair.anchor = this.leansOn;
      return false;
    }
    pair.fallback = selector;
    return true;
  }

  /** The attributes of `element` that it could be found by, best first. */
  private ranked(element: Element): string[] {
    const names = this.env.attributeNames(element).filter((name) => RANKS.has(name));
    return names.length < 2 ? names : names.sort((a, b) => (RANKS.get(a) ?? 0) - (RANKS.get(b) ?? 0));
  }

  /** The selector that leads into the shadow root or frame of `host`, of any length; null when nothing finds `host`. */
  into(host: Element): string | null {
    const path = this.find(host).primary;
    return path === '' ? null : this.entrance + path + ENTER;
  }

  private byAttribute(element: Element, tag: string, name: string): string | null {
    this.leansOn = null;
    const value = this.env.attribute(element, name) ?? '';
    if (value === '' || !this.isLasting(name, value) || !this.isHarmless(value)) {
      return null;
    }
    const ofAnyTag = OF_ANY_TAG.has(name);
    const selector =
      name === 'id'
        ? `#${escapeIdentifier(value)}`
        : (ofAnyTag ? '' : tagSelector(tag)) + attributeSelector(name, value);
    if (this.index.isOnly(element, name, value, ofAnyTag)) {
      return withinLimit(selector);
    }
    return name === 'name' ? this.byNameAnd(element, value, selector) : null;
  }

  /** A name that several controls have: told apart by what the page wrote in a radio or checkbox, or by the form. */
  private byNameAnd(element: Element, name: string, selector: string): string | null {
    const choice = this.choiceValue(element);
    if (
      choice !== null &&
      choice !== '' &&
      !isGeneratedName(choice) &&
      this.isHarmless(choice) &&
      this.index.isOnlyWith(element, 'name', name, 'choice')
    ) {
      return withinLimit(selector + attributeSelector('value', choice));
    }
    const form = this.index.formOf(element);
    const anchor = form === null ? null : this.formSelector(form);
    this.leansOn = form;
    return anchor !== null && this.index.isOnlyWith(element, 'name', name, 'form')
      ? withinLimit(`${anchor} ${selector}`)
      : null;
  }

  private formSelector(form: Element): string | null {
    for (const name of ['id', 'name', 'action']) {
      const value = this.env.attribute(form, name) ?? '';
      if (value !== '' && this.isLasting(name, value) && this.isHarmless(value)) {
        return name === 'id' ? `#${escapeIdentifier(value)}` : `form${attributeSelector(name, value)}`;
      }
    }
    return null;
  }

  /** The value that tells a radio or a checkbox from the others of its name: written by the page, not by the user. */
  private choiceValue(element: Element): string | null {
    const type = this.env.tag(element) === 'input' ? inputType(this.env, element) : '';
    return type === 'radio' || type === 'checkbox' ? this.env.attribute(element, 'value') : null;
  }

  private byWords(element: Element, tag: string, name: string): string | null {
    this.leansOn = null;
    const value =
      name === 'title' && holdsChosenValue(this.env, element, roleOf(this.env, element))
        ? ''
        : (this.env.attribute(element, name) ?? '');
    return value !== '' && this.index.isOnly(element, name, value, false) && this.isHarmless(value)
      ? withinLimit(tagSelector(tag) + attributeSelector(name, value))
      : null;
  }

  /** Free of positions and words: the only control of its sort inside something that can be found by itself. */
  private byPlace(element: Element): string | null {
    for (let current = this.env.parent(element); current !== null; current = this.env.parent(current)) {
      const anchor = mayAnchor(this.env, current) ? this.anchorOf(current) : null;
      if (anchor !== null) {
        // Where it is not the only one, it is not in what is around either.
        const said = this.index.controlAlone(element, current);
        this.leansOn = current;
        return said === null ? null : withinLimit(`${anchor} ${said}`);
      }
    }
    return null;
  }

  /** Tags, with ranks where there are several, from the nearest ancestor that can be found by itself. */
  private pathTo(element: Element): string | null {
    const { env } = this;
    const steps: Element[] = [];
    let path: string | null | undefined;
    for (let current: Element | null = element; current !== null; current = env.parent(current)) {
      if (current !== element) {
        path = this.startOf(current) ?? this.paths.get(current);
      }
      if (path !== undefined) {
        break;
      }
      steps.push(current);
    }
    for (const step of steps.reverse()) {
      if (path === null) {
        break;
      }
      path = withinLimit(this.stepFrom(path, step));
      this.paths.set(step, path);
    }
    return path ?? null;
  }

  /** The same, from further out than `anchor`: it must hold when `anchor` has changed. */
  private pathBeyond(element: Element, anchor: Element): string | null {
    const steps: Element[] = [];
    let isBeyond = false;
    let path: string | undefined;
    for (let current: Element | null = element; current !== null; current = this.env.parent(current)) {
      path = isBeyond ? this.startOf(current) : undefined;
      if (path !== undefined) {
        break;
      }
      steps.push(current);
      isBeyond ||= current === anchor;
    }
    for (const step of steps.reverse()) {
      path = this.stepFrom(path, step);
    }
    return path === undefined ? null : withinLimit(path);
  }

  /** One step down a path; without one, at the top of a shadow root, what nothing is around. */
  private stepFrom(path: string | undefined, step: Element): string {
    const tag = tagSelector(this.env.tag(step));
    const position = this.index.position(step);
    const said = tag + (position < 0 ? '' : `:nth-of-type(${position})`);
    if (path !== undefined) {
      return `${path} > ${said}`;
    }
    return this.env.select(this.index.tree, tag).length === 1 ? tag : `${said}:not(* > *)`;
  }

  /** Where a path may start; undefined when it has to start further out. */
  private startOf(element: Element): string | undefined {
    const tag = this.env.tag(element);
    return this.anchorOf(element) ?? (tag === 'body' || tag === 'html' ? tag : undefined);
  }

  private anchorOf(element: Element): string | null {
    const known = this.anchors.get(element);
    if (known !== undefined) {
      return known;
    }
    let anchor: string | null = null;
    const names = this.env.attributeNames(element);
    for (const name of ['id', ...TEST_ID_ATTRIBUTES]) {
      if (anchor === null && names.includes(name)) {
        anchor = this.byAttribute(element, '', name);
      }
    }
    if (anchor === null && this.env.tag(element) === 'form') {
      anchor = this.byAttribute(element, 'form', 'name') ?? this.byAttribute(element, 'form', 'action');
    }
    this.anchors.set(element, anchor);
    return anchor;
  }

  private isLasting(name: string, value: string): boolean {
    if (name === 'autocomplete') {
      return true;
    }
    return name === 'href' || name === 'action'
      ? decideOnce(this.links, value, isLastingLink)
      : decideOnce(this.lasting, value, isLastingValue);
  }

  private isHarmless(value: string): boolean {
    return decideOnce(this.harmless, value, (said) => dropUnstorable(said) === said && this.isClean(said));
  }
}

const PLAIN_TAG = /^[a-z][a-z0-9-]*$/;

function tagSelector(tag: string): string {
  return PLAIN_TAG.test(tag) ? tag : escapeIdentifier(tag);
}

/** Links to one record, or with a query, lead elsewhere on the next visit. */
function isLastingLink(href: string): boolean {
  if (href.startsWith('#')) {
    return !isGeneratedName(href.slice(1));
  }
  return (
    !/[?#]|^(?:javascript|mailto|tel|data|blob):/i.test(href) &&
    href.length <= 120 &&
    // What names one record has a digit.
    (!/[0-9*]/.test(href) || proposePattern(href) === href)
  );
}

/** Paths are checked part by part: one is generated when one of its segments is. What has a query tells a state. */
function isLastingValue(value: string): boolean {
  if (/[?;]/.test(value)) {
    return false;
  }
  return value.startsWith('/') ? proposePattern(value) === value : !isGeneratedName(value);
}

function decideOnce(known: Map<string, boolean>, value: string, decide: (value: string) => boolean): boolean {
  let answer = known.get(value);
  if (answer === undefined) {
    answer = decide(value);
    known.set(value, answer);
  }
  return answer;
}

function withinLimit(selector: string): string | null {
  return selector.length <= LONGEST ? selector : null;
}
