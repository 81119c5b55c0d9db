/**
 * Accessible names: what a screen reader would call an element (accname 1.2), with two differences on purpose.
 *
 * A name may embed a control ("Remind me in [3] days"); the standard then reads the control's value. We never do: what
 * people typed or chose has no place in a name that leaves the page. And the private characters that icon fonts draw
 * their pictures at are left out: nobody can read them.
 */
import type { Environment } from './environment';
import {
  HOLDS_VALUE,
  HOLDS_VALUE_ROLES,
  isInPrivatePart,
  NameContent,
  type PartNames,
  type Sight,
} from './name_content';
import { tidy } from './name_words';
import { inputType, isEditable, roleOf } from './roles';

export { isKeptPrivate } from './name_content';

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
  'tooltip',
  'treeitem',
]);
const NAMED_BY_CONTENT_TAGS = new Set(['label', 'legend', 'caption', 'figcaption', 'a', 'summary', 'option']);

const HAS_PLACEHOLDER = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number']);
/** What browsers write on buttons that the page leaves without a word. */
const UNWRITTEN: Record<string, { fr: string; en: string }> = {
  submit: { fr: 'Envoyer', en: 'Submit' },
  image: { fr: 'Envoyer', en: 'Submit' },
  reset: { fr: 'Réinitialiser', en: 'Reset' },
  file: { fr: 'Choisir un fichier', en: 'Choose File' },
};

/** Reads names in one page, as it is when this is made. */
export class Names implements PartNames {
  private readonly content: NameContent;

  constructor(
    private readonly env: Environment,
    private readonly labelsOf: LabelsOf,
  ) {
    this.content = new NameContent(env, this);
  }

  /** The accessible name of `element` in full; empty when it has none. */
  of(element: Element): string {
    return this.labelledBy(element) || this.ownName(element, false);
  }

  /** Text that people see inside `element`, without the values of controls. */
  contentOf(element: Element): string {
    return isEditable(this.env, element) ? '' : this.content.of(element, this.sightOf(element), false, '');
  }

  /** What `aria-labelledby` says; empty without it. */
  labelledBy(element: Element): string {
    const ids = this.env.attribute(element, 'aria-labelledby');
    if (ids === null) {
      return '';
    }
    let name = '';
    for (const id of ids.split(/\s+/)) {
      const target = id === '' ? null : this.env.byId(id, element);
      if (target !== null && !isInPrivatePart(this.env, target)) {
        const part = this.ownName(target, true);
        name = name === '' || part === '' ? name + part : `${name} ${part}`;
      }
    }
    return name;
  }

  /** The name that `element` has by itself; as part of another name when `isReferred`. */
  private ownName(element: Element, isReferred: boolean): string {
    const { env } = this;
    const label = env.attribute(element, 'aria-label');
    const name = (label === null ? '' : tidy(label)) || this.nativeName(element, env.tag(element));
    if (name !== '') {
      return name;
    }
    const role = roleOf(env, element);
    if (this.isNamedByContent(element, role, isReferred)) {
      const sight = isReferred && !env.isRendered(element) ? 'all' : this.sightOf(element);
      const content = this.content.of(element, sight, isReferred, role ?? '');
      if (content !== '') {
        return content;
      }
    }
    return this.hint(element, role);
  }

  /** The name that HTML gives: labels, the text on an input button, alternatives of pictures, legends and captions. */
  nativeName(element: Element, tag: string): string {
    switch (tag) {
      case 'input':
        return this.inputName(element);
      case 'select':
      case 'textarea':
      case 'button':
      case 'output':
      case 'meter':
      case 'progress':
        return this.labelText(element);
      case 'img':
      case 'area':
        return this.written(element, 'alt');
      case 'option':
      case 'optgroup':
        return this.written(element, 'label');
      case 'fieldset':
        return this.childText(element, 'legend');
      case 'table':
        return this.childText(element, 'caption');
      case 'figure':
        return this.childText(element, 'figcaption');
      case 'svg':
        return this.childText(element, 'title');
      default:
        return '';
    }
  }

  private inputName(element: Element): string {
    const type = inputType(this.env, element);
    const label = this.labelText(element);
    if (label !== '') {
      return label;
    }
    switch (type) {
      case 'submit':
      case 'reset':
      case 'button':
        // The attribute is what the page's author wrote on the button, never what someone typed.
        return this.env.attribute(element, 'value') === null ? this.unwritten(type) : this.written(element, 'value');
      case 'image':
        return this.written(element, 'alt') || this.written(element, 'title') || this.unwritten(type);
      case 'file':
        return this.written(element, 'title') || this.unwritten(type);
      default:
        return '';
    }
  }

  private unwritten(type: string): string {
    const isFrench = this.env.language().toLowerCase().startsWith('fr');
    return UNWRITTEN[type]?.[isFrench ? 'fr' : 'en'] ?? '';
  }

  /** What names an element for want of anything better. */
  private hint(element: Element, role: string | null): string {
    const { env } = this;
    const tag = env.tag(element);
    // Scripts that draw a control of their own (select2 and others) write the chosen value in its title.
    const isTitled = role === null || !HOLDS_VALUE_ROLES.has(role) || HOLDS_VALUE.has(tag);
    const title = isTitled ? this.written(element, 'title') : '';
    if (title !== '') {
      return title;
    }
    const isTyped = tag === 'input' ? HAS_PLACEHOLDER.has(inputType(env, element)) : tag === 'textarea';
    return (isTyped ? this.written(element, 'placeholder') : '') || this.written(element, 'aria-placeholder');
  }

  private written(element: Element, attribute: string): string {
    const text = this.env.attribute(element, attribute);
    return text === null ? '' : tidy(text);
  }

  /** Labels that nobody sees count when no label is seen: a control that a script has drawn again keeps its label. */
  private labelText(control: Element): string {
    const labels = this.labelsOf(control);
    return labels.length === 0 ? '' : this.joinLabels(labels, true) || this.joinLabels(labels, false);
  }

  private joinLabels(labels: readonly Element[], areShown: boolean): string {
    const { env } = this;
    let text = '';
    for (const label of labels) {
      const isShown = this.sightOf(label) === 'shown' && env.attribute(label, 'aria-hidden') !== 'true';
      if (isShown === areShown && !isInPrivatePart(this.env, label)) {
        const part =
          this.labelledBy(label) ||
          this.written(label, 'aria-label') ||
          this.content.of(label, areShown ? 'shown' : 'closed', false, '');
        text = text === '' || part === '' ? text + part : `${text} ${part}`;
      }
    }
    return text;
  }

  private childText(element: Element, tag: string): string {
    for (let child = this.env.firstElement(element); child !== null; child = this.env.nextElement(child)) {
      if (this.env.tag(child) === tag) {
        return this.content.of(child, tag === 'title' ? 'all' : this.sightOf(child), false, '');
      }
    }
    return '';
  }

  private isNamedByContent(element: Element, role: string | null, isReferred: boolean): boolean {
    const tag = this.env.tag(element);
    if (HOLDS_VALUE.has(tag) || isEditable(this.env, element)) {
      return false;
    }
    if (role === null) {
      return isReferred || NAMED_BY_CONTENT_TAGS.has(tag);
    }
    return NAMED_BY_CONTENT.has(role) || (isReferred && !HOLDS_VALUE_ROLES.has(role));
  }

  private sightOf(element: Element): Sight {
    return this.env.isRendered(element) || this.env.style(element).display === 'contents' ? 'shown' : 'closed';
  }

  /** The words on a button that is inside another's name; nothing for any other input. */
  buttonName(input: Element): string {
    const type = inputType(this.env, input);
    return type === 'submit' || type === 'reset' || type === 'button' || type === 'image' ? this.inputName(input) : '';
  }
}
