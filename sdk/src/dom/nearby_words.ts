/**
 * What people see beside an element that has no name of its own: the words before a field, the label that stands above
 * several parts of one, a tooltip that a script keeps, the picture on a button. Not its accessible name: a reader of a
 * screen hears none of it.
 */
import type { Environment } from './environment';
import type { Kept } from './kinds';
import type { Names } from './names';
import { isInPrivatePart, isValueTag } from './private_words';
import { inputType } from './roles';

/** How far out the label of a field's parts may stand. */
const MOST_LEVELS = 4;
const MOST_BEFORE = 8;
/** How much of a button is looked through for its picture. */
const MOST_DRAWN = 8;
const LONGEST_LABEL = 60;
/** What is sent of a label. */
const LONGEST = 30;

/** A label outside these is about something else. */
const BOUNDS = new Set([
  'form',
  'fieldset',
  'table',
  'tr',
  'li',
  'section',
  'article',
  'main',
  'nav',
  'body',
  'dialog',
]);
const LABELS = new Set(['label', 'legend', 'dt', 'th']);
const TOOLTIPS = [
  'data-bs-original-title',
  'data-original-title',
  'data-bs-title',
  'data-tooltip',
  'data-tippy-content',
  'data-balloon',
  'data-tip',
  'data-hint',
  'uk-tooltip',
];
const ICON =
  /(?:^|\s)(?:fa|fas|far|bi|mdi|ti|ri|ph|bx|la|uil|icon|glyphicon|octicon|lucide|feather|tabler-icon)-([a-z][a-z-]{1,30})/g;
/** How an icon is drawn, not what it shows. */
const STYLE =
  /^(?:xs|sm|md|lg|xl|fw|ul|li|spin|pulse|solid|regular|light|thin|duotone|brands|fade|beat|inverse|rotate|flip|stack|border|pull|size)(?:-|$)/;

/** Of two pictures of which one shows at a time, these say that something unfolds. */
const UNFOLDS = /^(?:plus|minus|dash|chevron|angle|caret)/;

/** Reads what stands beside the elements of one tree. */
export class NearbyWords {
  constructor(
    private readonly env: Environment,
    private readonly names: Names,
  ) {}

  /** Words for a nameless element in the page's own language, yet to be masked; empty when nothing stands there. */
  of(element: Element, kind: Kept): string {
    const tooltip = this.tooltip(element);
    if (tooltip !== '' || (kind.kind !== 'field' && kind.kind !== 'choice')) {
      return tooltip;
    }
    const isTicked = ['checkbox', 'radio'].includes(
      this.env.tag(element) === 'input' ? inputType(this.env, element) : '',
    );
    const part = isTicked ? this.textAfter(element) : this.textBefore(element);
    const label = isTicked ? '' : this.promptOf(element) || this.labelBefore(element);
    if (part === '' || label === '') {
      return part || label;
    }
    return `${cut(label, LONGEST - part.length - 3)} (${part.toLowerCase()})`;
  }

  /** What the picture on a nameless button shows, as its icon font calls it: `trash`; empty when it is none of these. */
  iconOf(element: Element): string {
    const { env } = this;
    const drawn = [element];
    for (let at = 0; at < drawn.length && drawn.length < MOST_DRAWN; at += 1) {
      const outer = drawn[at];
      for (let inner = outer && env.firstElement(outer); inner; inner = env.nextElement(inner)) {
        drawn.push(inner);
      }
    }
    const icons: string[] = [];
    for (const one of drawn.slice(0, MOST_DRAWN)) {
      for (const [, icon = ''] of (env.attribute(one, 'class') ?? '').matchAll(ICON)) {
        if (!STYLE.test(icon)) {
          icons.push(icon);
        }
      }
    }
    const [icon = '', ...others] = icons;
    return others.length > 0 && UNFOLDS.test(icon) ? '' : icon;
  }

  private tooltip(element: Element): string {
    for (const name of TOOLTIPS) {
      const text = bare(this.env.attribute(element, name) ?? '');
      if (isShort(text)) {
        return text;
      }
    }
    return '';
  }

  /** The text that leads up to `element` in its parent, from the last element on. */
  private textBefore(element: Element): string {
    const { env } = this;
    const parent = env.parent(element);
    let text = '';
    for (let node = parent && env.firstChild(parent); node !== null && node !== element; node = env.nextSibling(node)) {
      text = env.isElement(node) ? '' : text + (env.textOf(node) ?? '');
    }
    return short(text);
  }

  private textAfter(element: Element): string {
    const { env } = this;
    let text = '';
    for (let node = env.nextSibling(element); node !== null && !env.isElement(node); node = env.nextSibling(node)) {
      text += env.textOf(node) ?? '';
    }
    return short(text);
  }

  /** What labels the field that `element` is, or is a part of: the nearest label before it that is no other field's. */
  private labelBefore(element: Element): string {
    const { env } = this;
    let current: Element | null = element;
    for (let level = 0; current !== null && level < MOST_LEVELS; level += 1) {
      let left = MOST_BEFORE;
      for (
        let before = env.previousElement(current);
        before !== null && left > 0;
        before = env.previousElement(before)
      ) {
        const label = this.asLabel(before, element);
        if (label !== '' || this.isOfAnother(before, element, level)) {
          return label;
        }
        left -= 1;
      }
      current = env.parent(current);
      if (current !== null && BOUNDS.has(env.tag(current))) {
        return '';
      }
    }
    return '';
  }

  /** Whether a label further out would be about another field. The parts of one field stand in one element. */
  private isOfAnother(before: Element, element: Element, level: number): boolean {
    const { env } = this;
    const tag = env.tag(before);
    if (tag === 'label' && !this.isFree(before, element)) {
      return true;
    }
    return level > 0 && (isValueTag(tag) || env.firstElement(before) !== null);
  }

  private asLabel(before: Element, element: Element): string {
    const { env } = this;
    if (isInPrivatePart(env, before)) {
      return '';
    }
    const tag = env.tag(before);
    if (tag === 'select') {
      // The list that a script hid to draw its own.
      const isShown = env.isRendered(before) && env.hasBox(before);
      return isShown ? '' : short(this.names.of(before)) || this.promptOf(before);
    }
    const isLabel = LABELS.has(tag) && (tag !== 'label' || this.isFree(before, element));
    return isLabel ? short(this.names.contentOf(before, LONGEST_LABEL + 1)) : '';
  }

  /** Whether a label names nothing else: of two fields with one id, the browser gives it to the first. */
  private isFree(label: Element, element: Element): boolean {
    const { env } = this;
    const id = env.attribute(element, 'id');
    return env.controlOf(label) === null || (id !== null && id === env.attribute(label, 'for'));
  }

  /** What stands in a list as long as nothing is chosen: « -- choisir un état -- ». */
  private promptOf(select: Element): string {
    const { env } = this;
    const first = env.tag(select) === 'select' ? env.firstElement(select) : null;
    const isPrompt = first !== null && env.tag(first) === 'option' && env.attribute(first, 'value') === '';
    return isPrompt && !isInPrivatePart(env, first) ? short(env.allText(first)) : '';
  }
}

function short(text: string): string {
  const said = bare(text);
  return isShort(said) ? said : '';
}

/** Ends with a whole word where it has to be cut. */
function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest).replace(/\s+\S*$/, '')}…` : text;
}

/** Without what decorates a label: colons, stars, brackets around nothing. */
function bare(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/^[\s|:*•–-]+|[\s|:*–-]+$/g, '');
}

function isShort(text: string): boolean {
  return text.length <= LONGEST_LABEL && /\p{L}{2}/u.test(text);
}
