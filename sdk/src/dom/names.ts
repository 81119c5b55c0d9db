/**
 * Accessible names: what a screen reader would call an element (accname 1.2), with two differences on purpose.
 *
 * A name may embed a control ("Remind me in [3] days"); the standard then reads the control's value. We never do: what
 * people typed or chose has no place in a name that leaves the page. And the private characters that icon fonts draw
 * their pictures at are left out: nobody can read them.
 */
import type { Environment } from './environment';
import { NameContent, type PartNames } from './name_content';
import { LONGEST, tidy } from './name_words';
import { holdsChosenValue, holdsValue, isInPrivatePart, isInValue } from './private_words';
import { inputType, roleOf } from './roles';
import { sightOf } from './sight';

export { isKeptPrivate } from './private_words';

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
  files: { fr: 'Choisir des fichiers', en: 'Choose Files' },
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

  /**
   * The accessible name of `element`; empty when it has none. In full, but when its content is longer than `longest`
   * characters: then only so much of it that this can be told.
   */
  of(element: Element, longest = LONGEST): string {
    return this.isInEditor(element) ? '' : this.labelledBy(element) || this.ownName(element, false, longest);
  }

  /** Text that people see inside `element`, without the values of controls; of a long one no more than `of` reads. */
  contentOf(element: Element, longest = LONGEST): string {
    return this.isInEditor(element) ? '' : this.content.of(element, { sight: sightOf(this.env, element), longest });
  }

  /** What `aria-labelledby` says; empty without it. */
  labelledBy(element: Element): string {
    const ids = this.env.attribute(element, 'aria-labelledby');
    if (ids === null) {
      return '';
    }
    const isNearField = holdsValue(this.env, element);
    let name = '';
    for (const id of ids.split(/\s+/)) {
      const target = id === '' ? null : this.env.byId(id, element);
      if (target !== null && !isInPrivatePart(this.env, target) && !isInValue(this.env, target)) {
        const part = this.ownName(target, true, LONGEST, isNearField);
        name = name === '' || part === '' ? name + part : `${name} ${part}`;
      }
    }
    return name;
  }

  /** The name that `element` has by itself; as part of another name when `isReferred`. */
  private ownName(element: Element, isReferred: boolean, longest = LONGEST, isNearField = false): string {
    const { env } = this;
    const name = this.written(element, 'aria-label') || this.nativeName(element, env.tag(element));
    if (name !== '') {
      return name;
    }
    const role = roleOf(env, element);
    if (isReferred || this.isNamedByContent(element, role)) {
      const seen = sightOf(env, element);
      const sight = isReferred && seen === 'closed' ? 'all' : seen;
      const content = this.content.of(element, { sight, role, isReferred, isNearField, longest });
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
        return this.written(element, 'title') || this.unwritten(this.takesSeveral(element) ? 'files' : 'file');
      default:
        return '';
    }
  }

  private takesSeveral(input: Element): boolean {
    return this.env.attribute(input, 'multiple') !== null;
  }

  private unwritten(kind: string): string {
    const isFrench = this.env.language().toLowerCase().startsWith('fr');
    return UNWRITTEN[kind]?.[isFrench ? 'fr' : 'en'] ?? '';
  }

  /** What names an element for want of anything better. */
  private hint(element: Element, role: string | null): string {
    const { env } = this;
    const tag = env.tag(element);
    const title = this.written(element, 'title');
    if (title !== '' && !holdsChosenValue(env, element, role)) {
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
      const isShown = sightOf(env, label) === 'shown' && env.attribute(label, 'aria-hidden') !== 'true';
      if (isShown === areShown && !isInPrivatePart(this.env, label)) {
        const part =
          this.labelledBy(label) ||
          this.written(label, 'aria-label') ||
          this.content.of(label, { sight: areShown ? 'shown' : 'closed', isNearField: true });
        text = text === '' || part === '' ? text + part : `${text} ${part}`;
      }
    }
    return text;
  }

  private childText(element: Element, tag: string): string {
    for (let child = this.env.firstElement(element); child !== null; child = this.env.nextElement(child)) {
      if (this.env.tag(child) === tag) {
        const sight = tag === 'title' ? 'all' : sightOf(this.env, child);
        return this.content.of(child, { sight, isNearField: tag === 'legend' });
      }
    }
    return '';
  }

  private isNamedByContent(element: Element, role: string | null): boolean {
    return role === null ? NAMED_BY_CONTENT_TAGS.has(this.env.tag(element)) : NAMED_BY_CONTENT.has(role);
  }

  /** Whether it is in a document that is an editor as a whole. */
  private isInEditor(element: Element): boolean {
    const page = this.env.documentOf(element);
    return page !== null && this.env.isDesigned(page);
  }

  /** The words on a button that is inside another's name; nothing for any other input. */
  buttonName(input: Element): string {
    const type = inputType(this.env, input);
    return type === 'submit' || type === 'reset' || type === 'button' || type === 'image' ? this.inputName(input) : '';
  }
}
