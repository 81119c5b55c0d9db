/**
 * Two selectors for an element, each finding it alone at the time of the scan: one to use, and one that stands when
 * what carried the first has changed.
 */
import { escapeIdentifier } from '../core/css';
import { isGeneratedName } from '../core/generated_names';
import { mask } from '../core/masking';
import { proposePattern } from '../core/routes';
import type { Environment } from './environment';
import type { Candidate, PageIndex } from './page_index';

const LONGEST = 300;

/** Families of selectors that repeat words of the page, or where it leads. */
const SAYING = new Set(['words', 'href']);

export interface Locator {
  selector: string;
  fallback: string | null;
}

export class Locators {
  private readonly anchors = new Map<Element, string | null>();
  /** What was found of a value that many elements share. */
  private readonly lasting = new Map<string, boolean>();
  private readonly harmless = new Map<string, boolean>();

  constructor(
    private readonly env: Environment,
    private readonly index: PageIndex,
  ) {}

  /**
   * Null when no selector of a reasonable length finds `element` alone. `withoutWords` keeps to what names a place in
   * the page, for an element whose words must not leave it.
   */
  of(element: Element, withoutWords = false): Locator | null {
    const usable = this.index
      .candidatesOf(element)
      .filter((candidate) => this.isUsable(candidate) && !(withoutWords && SAYING.has(candidate.family)));
    const primary = usable[0];
    const path = this.pathTo(element);
    if (primary === undefined) {
      return path === null ? null : { selector: path, fallback: null };
    }
    const other = usable.find((candidate) => rootOf(candidate.family) !== rootOf(primary.family));
    return { selector: primary.selector, fallback: other?.selector ?? path };
  }

  private isUsable({ selector, family, values }: Candidate): boolean {
    return (
      selector.length <= LONGEST &&
      this.index.isUnique(selector) &&
      (family === 'href'
        ? values.every(isLastingLink)
        : family === 'words' || values.every((value) => once(this.lasting, value, isLastingValue))) &&
      values.every((value) => once(this.harmless, value, isHarmless))
    );
  }

  /** Tags and ranks from the nearest ancestor that can be found by itself. */
  private pathTo(element: Element): string | null {
    const parts: string[] = [];
    let current: Element | null = element;
    while (current !== null) {
      const anchor: string | null = current === element ? null : this.anchorOf(current);
      if (anchor !== null) {
        return withinLimit([anchor, ...parts].join(' > '));
      }
      const tag = this.env.tag(current);
      if (tag === 'body' || tag === 'html') {
        return withinLimit([tag, ...parts].join(' > '));
      }
      parts.unshift(`${escapeIdentifier(tag)}:nth-of-type(${this.index.position(current)})`);
      current = this.env.parent(current);
    }
    return null;
  }

  private anchorOf(element: Element): string | null {
    const known = this.anchors.get(element);
    if (known !== undefined) {
      return known;
    }
    const anchor = this.index
      .candidatesOf(element)
      .find((candidate) => (candidate.family === 'testid' || candidate.family === 'id') && this.isUsable(candidate));
    this.anchors.set(element, anchor?.selector ?? null);
    return anchor?.selector ?? null;
  }
}

/** Links to one record, or with a query, lead elsewhere on the next visit. */
function isLastingLink(href: string): boolean {
  if (href.startsWith('#')) {
    return !isGeneratedName(href.slice(1));
  }
  return !/[?#]|^(?:javascript|mailto|tel):/i.test(href) && href.length <= 120 && proposePattern(href) === href;
}

/** `action` and ids are checked part by part: a path is generated when one of its segments is. */
function isLastingValue(value: string): boolean {
  return value.startsWith('/') ? proposePattern(value) === value : !isGeneratedName(value);
}

/** Whether a value holds no personal data. */
function isHarmless(value: string): boolean {
  return mask(value).hidden === 0;
}

function once(known: Map<string, boolean>, value: string, decide: (value: string) => boolean): boolean {
  let answer = known.get(value);
  if (answer === undefined) {
    answer = decide(value);
    known.set(value, answer);
  }
  return answer;
}

function rootOf(family: string): string {
  return family.split(' ', 1)[0] ?? family;
}

function withinLimit(selector: string): string | null {
  return selector.length <= LONGEST ? selector : null;
}
