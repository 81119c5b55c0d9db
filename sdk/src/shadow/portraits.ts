/** Says of an element what the server keeps: what it is called, where it stands, and how to find it again. */
import { anchorOf } from '../dom/anchors';
import type { Cleaning } from '../dom/cleaning';
import { Descriptions } from '../dom/description';
import type { Environment } from '../dom/environment';
import { Fingerprints, writeFingerprint } from '../dom/fingerprint';
import { isKeptPrivate, type Names } from '../dom/names';
import { holdsValue } from '../dom/private_words';
import { inputType, roleOf } from '../dom/roles';
import type { Actor } from './actors';
import type { PageReading } from './page_reading';
import type { ObservedTarget } from './wire';

const NAME_LIMIT = 300;
const TEXT_LIMIT = 120;
const CHOICE_LIMIT = 60;
const MOST_COMPARED = 5_000;

export interface Portrait {
  element: Element;
  target: ObservedTarget;
  /** Selector of the frame that it is in; empty on the page itself. */
  frame: string;
  /** Its author keeps its words on the page. */
  isPrivate: boolean;
}

export class Portraits {
  private readonly descriptions: Descriptions;

  constructor(
    private readonly env: Environment,
    private readonly page: PageReading,
    private readonly cleaning: Cleaning,
  ) {
    this.descriptions = new Descriptions(env, cleaning);
  }

  /** Null for what its author keeps out of our sight, and for what is on no page any more. */
  of({ element, kind }: Actor): Portrait | null {
    const { env, cleaning } = this;
    const tree = env.treeOf(element);
    const reading = tree === null ? null : this.page.of(tree);
    const places = tree === null ? null : this.page.placesFor(element, tree);
    if (reading === null || places === null) {
      return null;
    }
    const around = places.within(element);
    if (around.isSkipped) {
      return null;
    }
    const isPrivate = around.isPrivate || isKeptPrivate(env, element);
    const role = roleOf(env, element);
    const said = isPrivate ? '' : this.nameOf(element, kind?.guess !== undefined || kind === null, reading.names);
    const name = said || (isPrivate || kind === null ? '' : reading.nearby.of(element, kind));
    const anchor = anchorOf(env, element, reading.index.labels.of(element)) ?? element;
    const locator = reading.locators.of(anchor, isPrivate);
    const words = places.contextOf(element, false);
    const { heading, row, group, form, landmark } = isPrivate ? {} : this.descriptions.context(words);
    const fingerprint = new Fingerprints(env, cleaning.isClean).of(element, role, said, words, isPrivate);
    const tag = env.tag(element);
    const target: ObservedTarget = {
      tag,
      ...put('role', role ?? ''),
      ...put('name', cleaning.clean(name, NAME_LIMIT)),
      ...put('type', tag === 'input' ? inputType(env, element) : ''),
      ...put('selector', locator?.selector ?? ''),
      ...put('fallbackSelector', locator?.fallback ?? ''),
      fingerprint: writeFingerprint(fingerprint),
      ...put('text', isPrivate || holdsValue(env, element) ? '' : this.textOf(element, reading.names)),
      ...put('row', row ?? ''),
      ...put('heading', heading ?? ''),
      ...put('group', group ?? ''),
      ...put('choice', this.choiceOf(element)),
      ...put('form', form ?? ''),
      ...put('landmark', landmark ?? ''),
      interactive: kind?.isInteractive === true || env.style(element).cursor === 'pointer',
      matches: this.alike(element, role, reading.index.ofInterest, reading.names),
    };
    return { element, target, frame: reading.frame, isPrivate };
  }

  /** The options of a select: what can be chosen. */
  optionsOf(select: Element): string[] {
    const tree = this.env.treeOf(select);
    const reading = tree === null ? null : this.page.of(tree);
    return reading === null ? [] : this.descriptions.options(select, reading.names);
  }

  /** What is read on an option, masked. */
  textOfOption(option: Element): string {
    return this.cleaning.clean(this.env.attribute(option, 'label') ?? this.env.allText(option), TEXT_LIMIT);
  }

  private choiceOf(element: Element): string {
    const isRadio = this.env.tag(element) === 'input' && inputType(this.env, element) === 'radio';
    return isRadio ? this.cleaning.clean(this.env.attribute(element, 'name') ?? '', CHOICE_LIMIT) : '';
  }

  private nameOf(element: Element, isGuess: boolean, names: Names): string {
    return names.of(element, NAME_LIMIT) || (isGuess ? names.contentOf(element, NAME_LIMIT) : '');
  }

  private textOf(element: Element, names: Names): string {
    return this.cleaning.clean(names.contentOf(element, TEXT_LIMIT), TEXT_LIMIT);
  }

  /** How many elements are called the same: what their page shows twice must be told apart. */
  private alike(element: Element, role: string | null, others: readonly Element[], names: Names): number {
    const { env } = this;
    const words = this.quickWords(element, names);
    let count = 0;
    for (const other of others.slice(0, MOST_COMPARED)) {
      if (other === element) {
        count += 1;
      } else if (roleOf(env, other) === role && this.quickWords(other, names) === words && env.isRendered(other)) {
        count += 1;
      }
    }
    return Math.max(count, 1);
  }

  /** What tells elements of one role apart at little cost: only fields need their whole name. */
  private quickWords(element: Element, names: Names): string {
    const { env } = this;
    return holdsValue(env, element)
      ? names.of(element, TEXT_LIMIT)
      : (env.attribute(element, 'aria-label') ?? env.allText(element)).trim();
  }
}

function put<Key extends string>(key: Key, text: string): Partial<Record<Key, string>> {
  return text === '' ? {} : ({ [key]: text } as Record<Key, string>);
}
