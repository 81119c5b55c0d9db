/**
 * Accessible names: what a screen reader would call an element (accname 1.2), with one difference on purpose. A name
 * may embed a control ("Remind me in [3] days"); the standard then reads the control's value. We never do: what people
 * typed or chose has no place in a name that leaves the page.
 */
import { foldSpaces } from '../core/text';
import type { Environment } from './environment';
import { inputType, isEditable, roleOf } from './roles';

/** Gives the labels of a control. */
export type LabelsOf = (control: Element) => readonly Element[];

const NAMED_BY_CONTENT = new Set([
  'button',
  'cell',
  'checkbox',
  'columnheader',
  'gridcell',
  'heading',
  'link',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'row',
  'rowheader',
  'switch',
  'tab',
  'treeitem',
]);

const HOLDS_VALUE = new Set(['input', 'textarea', 'select', 'datalist', 'output', 'meter', 'progress']);
const HOLDS_VALUE_ROLES = new Set(['textbox', 'searchbox', 'combobox', 'listbox', 'slider', 'spinbutton']);
const SILENT = new Set(['script', 'style', 'template', 'noscript', 'head', 'iframe', 'object', 'canvas']);
const INLINE = new Set([
  'a',
  'abbr',
  'b',
  'bdi',
  'cite',
  'code',
  'em',
  'font',
  'i',
  'kbd',
  'mark',
  's',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'u',
  'wbr',
]);
const DEEPEST = 64;

/** Whether the page's author marked the element with `data-circuy-mask`: its words are for nobody but its user. */
export function isKeptPrivate(env: Environment, element: Element): boolean {
  return env.attribute(element, 'data-circuy-mask') !== null;
}

/** Reads names in one page. */
export class Names {
  constructor(
    private readonly env: Environment,
    private readonly labelsOf: LabelsOf,
  ) {}

  /** The accessible name of `element` in full; empty when it has none. */
  of(element: Element): string {
    return this.labelledBy(element) || this.ownName(element);
  }

  /** Text that people see inside `element`, without the values of controls. */
  contentOf(element: Element): string {
    return foldSpaces(this.content(element, 0, false));
  }

  private labelledBy(element: Element): string {
    const ids = this.env.attribute(element, 'aria-labelledby')?.split(/\s+/).filter(Boolean) ?? [];
    const parts = ids.map((id) => {
      const target = this.env.byId(id);
      // One level only: a label that is itself labelled by reference does not chain (accname 2B). Hidden labels count.
      return target === null
        ? ''
        : this.ownName(target) || foldSpaces(this.content(target, 0, !this.env.isRendered(target)));
    });
    return foldSpaces(parts.join(' '));
  }

  private ownName(element: Element): string {
    const { env } = this;
    const label = foldSpaces(env.attribute(element, 'aria-label') ?? '');
    if (label !== '') {
      return label;
    }
    const native = this.nativeName(element);
    if (native !== '') {
      return native;
    }
    if (this.isNamedByContent(element)) {
      // What is in a closed part is named as it will be when it is open.
      const content =
        foldSpaces(this.content(element, 0, false)) ||
        (this.env.isRendered(element) ? '' : foldSpaces(this.content(element, 0, true)));
      if (content !== '') {
        return content;
      }
    }
    return foldSpaces(
      (this.isCustomControl(element) ? null : env.attribute(element, 'title')) ??
        env.attribute(element, 'placeholder') ??
        env.attribute(element, 'aria-placeholder') ??
        '',
    );
  }

  /** A control that a script draws: such scripts (select2 and others) write the chosen value in its `title`. */
  private isCustomControl(element: Element): boolean {
    const role = roleOf(this.env, element);
    return role !== null && HOLDS_VALUE_ROLES.has(role) && !HOLDS_VALUE.has(this.env.tag(element));
  }

  /** The name that HTML gives: labels, the text on an input button, alternatives of pictures, legends and captions. */
  private nativeName(element: Element): string {
    const { env } = this;
    switch (env.tag(element)) {
      case 'input': {
        const type = inputType(env, element);
        if (type === 'submit' || type === 'reset' || type === 'button') {
          // The attribute is what the page's author wrote on the button, never what someone typed.
          return this.labelText(element) || foldSpaces(env.attribute(element, 'value') ?? '');
        }
        return this.labelText(element) || (type === 'image' ? foldSpaces(env.attribute(element, 'alt') ?? '') : '');
      }
      case 'select':
      case 'textarea':
      case 'button':
        return this.labelText(element);
      case 'img':
      case 'area':
        return foldSpaces(env.attribute(element, 'alt') ?? '');
      case 'fieldset':
        return this.childText(element, 'legend');
      case 'table':
        return this.childText(element, 'caption');
      case 'svg':
        return this.childText(element, 'title');
      default:
        return '';
    }
  }

  private labelText(control: Element): string {
    const texts = this.labelsOf(control).map((label) => this.content(label, 0, !this.env.isRendered(label)));
    return foldSpaces(texts.join(' '));
  }

  private childText(element: Element, tag: string): string {
    for (let child = this.env.firstElement(element); child !== null; child = this.env.nextElement(child)) {
      if (this.env.tag(child) === tag) {
        return foldSpaces(this.content(child, 0, !this.env.isRendered(child)));
      }
    }
    return '';
  }

  private isNamedByContent(element: Element): boolean {
    if (isEditable(this.env, element)) {
      return false;
    }
    const role = roleOf(this.env, element);
    return (
      (role !== null && NAMED_BY_CONTENT.has(role)) ||
      ['label', 'legend', 'caption', 'a'].includes(this.env.tag(element))
    );
  }

  private content(element: Element, depth: number, evenHidden: boolean): string {
    if (depth > DEEPEST || isKeptPrivate(this.env, element)) {
      return '';
    }
    const { env } = this;
    let out = '';
    for (let child = env.firstChild(element); child !== null; child = env.nextSibling(child)) {
      const text = env.textOf(child);
      if (text !== null) {
        out += text;
      } else if (env.isElement(child)) {
        const part = this.partOf(child, depth + 1, evenHidden);
        out += this.runsOn(child) ? part : ` ${part} `;
      }
    }
    return out;
  }

  /** Whether the element's text continues the line it stands in: a `small` that is laid out as a block does not. */
  private runsOn(element: Element): boolean {
    return INLINE.has(this.env.tag(element)) && this.env.style(element).display === 'inline';
  }

  private partOf(element: Element, depth: number, evenHidden: boolean): string {
    const { env } = this;
    const tag = env.tag(element);
    if (SILENT.has(tag) || HOLDS_VALUE.has(tag) || isEditable(env, element) || isKeptPrivate(env, element)) {
      return '';
    }
    const role = env.attribute(element, 'role')?.trim().toLowerCase() ?? '';
    if (HOLDS_VALUE_ROLES.has(role) || env.attribute(element, 'aria-hidden') === 'true') {
      return '';
    }
    if (!evenHidden && !env.isRendered(element)) {
      return '';
    }
    const label = env.attribute(element, 'aria-label')?.trim() ?? '';
    if (label !== '') {
      return label;
    }
    if (tag === 'img' || tag === 'svg') {
      return this.nativeName(element);
    }
    return this.content(element, depth, evenHidden);
  }
}
