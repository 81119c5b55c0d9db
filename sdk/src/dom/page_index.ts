/**
 * One pass over the whole page that counts every simple selector an element could be found by, so that asking
 * "is this one unique?" later costs a look-up and not a search of the page.
 */
import { attributeSelector, escapeIdentifier } from '../core/css';
import type { Environment } from './environment';
import { inputType } from './roles';

/** A way to find an element. Two of different families do not break for the same reason. */
export interface Candidate {
  selector: string;
  family: string;
  /** What the page wrote in the attribute, for the checks on generated and personal values. */
  values: string[];
}

export const TEST_ID_ATTRIBUTES = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa', 'data-pw'];

/** Attributes that stay when the language changes, then those that are words of a language. Both ranked. */
const LASTING = ['name', 'href', 'for', 'aria-controls', 'data-action', 'data-bs-target', 'autocomplete'];
const WORDED = ['aria-label', 'placeholder', 'title', 'alt'];

/** An element without any of these has no simple selector. */
const TELLING = new Set([...TEST_ID_ATTRIBUTES, 'id', ...LASTING, 'type', ...WORDED]);
const NO_CANDIDATES: Candidate[] = [];

export class PageIndex {
  private readonly candidates = new Map<Element, Candidate[]>();
  private readonly counts = new Map<string, number>();
  private readonly positions = new Map<Element, number>();
  private readonly forms = new Map<Element, Element>();
  private readonly labelsById = new Map<string, Element[]>();
  private readonly labelAround = new Map<Element, Element>();
  private readonly openers = new Map<string, Element>();

  constructor(private readonly env: Environment) {
    this.read(env.root());
  }

  /** Simple selectors of `element`, best first. */
  candidatesOf(element: Element): readonly Candidate[] {
    return this.candidates.get(element) ?? NO_CANDIDATES;
  }

  private readCandidates(element: Element): Candidate[] {
    const { env } = this;
    if (!env.attributeNames(element).some((name) => TELLING.has(name))) {
      return NO_CANDIDATES;
    }
    const tag = env.tag(element);
    const found: Candidate[] = [];
    const add = (family: string, selector: string, ...values: string[]) => found.push({ family, selector, values });

    for (const name of TEST_ID_ATTRIBUTES) {
      const value = env.attribute(element, name);
      if (value !== null && value !== '') {
        add('testid', attributeSelector(name, value), value);
      }
    }
    const id = env.attribute(element, 'id');
    if (id !== null && id !== '') {
      add('id', `#${escapeIdentifier(id)}`, id);
    }
    const tagName = escapeIdentifier(tag);
    for (const name of LASTING) {
      const value = env.attribute(element, name);
      if (value === null || value === '') {
        continue;
      }
      const selector = tagName + attributeSelector(name, value);
      add(name, selector, value);
      const choice = name === 'name' ? this.choiceValue(element) : null;
      if (choice !== null) {
        add(name, selector + attributeSelector('value', choice), value, choice);
      }
    }
    if (tag === 'input' || tag === 'button') {
      const type = env.attribute(element, 'type');
      if (type !== null && type !== '') {
        add('type', tagName + attributeSelector('type', type));
      }
    }
    for (const name of WORDED) {
      const value = env.attribute(element, name);
      if (value !== null && value !== '') {
        add('words', tagName + attributeSelector(name, value), value);
      }
    }
    return [...found, ...this.insideForm(element, found)];
  }

  isUnique(selector: string): boolean {
    return this.counts.get(selector) === 1;
  }

  /** Rank of `element` among its siblings of the same tag, from 1. */
  position(element: Element): number {
    return this.positions.get(element) ?? 1;
  }

  labelsOf(control: Element): readonly Element[] {
    const id = this.env.attribute(control, 'id');
    const byId = id === null || id === '' || this.env.byId(id) !== control ? [] : (this.labelsById.get(id) ?? []);
    const around = this.labelAround.get(control);
    return around === undefined || byId.includes(around) ? byId : [...byId, around];
  }

  /** The element that says it opens the one with this id (`aria-controls` and the like). */
  openerOf(id: string): Element | null {
    return this.openers.get(id) ?? null;
  }

  /** The same selectors, told apart by the form that the element is in. */
  private insideForm(element: Element, candidates: readonly Candidate[]): Candidate[] {
    const form = this.forms.get(element);
    if (form === undefined) {
      return [];
    }
    const anchor = this.formAnchor(form);
    return anchor === null
      ? []
      : candidates
          .filter(({ family }) => family === 'name' || family === 'type')
          .map(({ selector, family, values }) => ({
            selector: `${anchor.selector} ${selector}`,
            family: `${family} in form`,
            values: [...anchor.values, ...values],
          }));
  }

  private formAnchor(form: Element): Candidate | null {
    for (const attribute of ['id', 'name', 'action']) {
      const value = this.env.attribute(form, attribute);
      if (value !== null && value !== '') {
        const selector =
          attribute === 'id' ? `#${escapeIdentifier(value)}` : `form${attributeSelector(attribute, value)}`;
        return { selector, family: attribute, values: [value] };
      }
    }
    return null;
  }

  /** The value that tells a radio or a checkbox from the others of its name: written by the page, not by the user. */
  private choiceValue(element: Element): string | null {
    const type = this.env.tag(element) === 'input' ? inputType(this.env, element) : '';
    return type === 'radio' || type === 'checkbox' ? this.env.attribute(element, 'value') : null;
  }

  private read(root: Element): void {
    const { env } = this;
    const siblings = [new Map<string, number>()];
    const forms: Element[] = [];
    const labels: Element[] = [];
    let element: Element | null = root;
    while (element !== null) {
      this.note(element, siblings[siblings.length - 1] ?? new Map<string, number>(), forms, labels);
      const child = env.firstElement(element);
      if (child !== null) {
        this.enter(element, forms, labels);
        siblings.push(new Map<string, number>());
        element = child;
        continue;
      }
      while (element !== null && element !== root && env.nextElement(element) === null) {
        element = env.parent(element);
        siblings.pop();
        if (element !== null) {
          leave(element, forms);
          leave(element, labels);
        }
      }
      element = element === null || element === root ? null : env.nextElement(element);
    }
  }

  private enter(element: Element, forms: Element[], labels: Element[]): void {
    const tag = this.env.tag(element);
    if (tag === 'form') {
      forms.push(element);
    } else if (tag === 'label') {
      labels.push(element);
    }
  }

  private note(element: Element, siblings: Map<string, number>, forms: Element[], labels: Element[]): void {
    const { env } = this;
    const tag = env.tag(element);
    const position = (siblings.get(tag) ?? 0) + 1;
    siblings.set(tag, position);
    this.positions.set(element, position);
    const form = forms[forms.length - 1];
    if (form !== undefined) {
      this.forms.set(element, form);
    }
    if (tag === 'label') {
      const target = env.attribute(element, 'for');
      if (target !== null && target !== '') {
        this.labelsById.set(target, [...(this.labelsById.get(target) ?? []), element]);
      }
    }
    const around = labels[labels.length - 1];
    if (around !== undefined && env.attribute(around, 'for') === null && isLabelable(tag)) {
      this.labelAround.set(element, around);
    }
    this.noteOpener(element, tag);
    const candidates = this.readCandidates(element);
    if (candidates.length > 0) {
      this.candidates.set(element, candidates);
    }
    for (const { selector } of candidates) {
      this.counts.set(selector, (this.counts.get(selector) ?? 0) + 1);
    }
  }

  private noteOpener(element: Element, tag: string): void {
    const { env } = this;
    const target = env.attribute(element, 'data-bs-target') ?? env.attribute(element, 'data-target');
    const link = tag === 'a' ? env.attribute(element, 'href') : null;
    const ids = [
      ...(env.attribute(element, 'aria-controls')?.split(/\s+/) ?? []),
      ...[target, link].flatMap((value) => (value?.startsWith('#') === true ? [value.slice(1)] : [])),
    ];
    for (const id of ids) {
      if (id !== '' && !this.openers.has(id)) {
        this.openers.set(id, element);
      }
    }
  }
}

function leave(element: Element, stack: Element[]): void {
  if (stack[stack.length - 1] === element) {
    stack.pop();
  }
}

function isLabelable(tag: string): boolean {
  return ['input', 'select', 'textarea', 'button', 'meter', 'progress', 'output'].includes(tag);
}
