/**
 * What is typed and chosen in fields: told once a field, with the last value, when the person goes on to something else.
 * A pause in the middle of a word is not the end of it.
 */
import type { Cleaning } from '../dom/cleaning';
import type { Portrait, Portraits } from './portraits';
import type { Secrets } from './secrets';
import type { Values } from './values';
import type { Act } from './wire';

const VALUE_LIMIT = 300;
const NAME_LIMIT = 120;
const MOST_FILES = 12;
const MOST_CHOSEN = 12;
/** Arrow keys choose one option after the other. */
const CHOSEN_AFTER_MS = 700;

interface Pending {
  kind: 'fill' | 'select';
  portrait: Portrait;
  timer: ReturnType<typeof setTimeout> | null;
}

export class Writing {
  private readonly pending = new Map<Element, Pending>();
  /** What was told last of a field. */
  private readonly told = new WeakMap<Element, string>();

  constructor(
    private readonly portraits: Portraits,
    private readonly secrets: Secrets,
    private readonly values: Values,
    private readonly cleaning: Cleaning,
    private readonly act: (act: Act) => void,
  ) {}

  /** `field` was written in. `portrait` was taken before that, if one was. */
  wrote(field: Element, portrait: Portrait | null): void {
    this.note(field, 'fill', portrait);
  }

  /** An option of `select` was chosen. */
  chose(select: Element, portrait: Portrait | null): void {
    const pending = this.note(select, 'select', portrait);
    if (pending !== null) {
      pending.timer = setTimeout(() => {
        this.settle(select);
      }, CHOSEN_AFTER_MS);
    }
  }

  ticked(box: Element, portrait: Portrait | null): void {
    this.settleAll();
    this.tell(box, portrait, () => ({ kind: 'check', checked: this.values.isChecked(box) }));
  }

  picked(input: Element, portrait: Portrait | null): void {
    this.settleAll();
    this.tell(input, portrait, () => ({
      kind: 'upload',
      files: this.values
        .files(input)
        .slice(0, MOST_FILES)
        .map((name) => this.cleaning.clean(name, NAME_LIMIT)),
    }));
  }

  /** Tells what was done in `field`, if that is still to be told. */
  settle(field: Element): void {
    const pending = this.pending.get(field);
    if (pending === undefined) {
      return;
    }
    this.pending.delete(field);
    if (pending.timer !== null) {
      clearTimeout(pending.timer);
    }
    this.tell(field, pending.portrait, (portrait) =>
      pending.kind === 'fill' ? this.filled(field, portrait) : this.selected(field, portrait),
    );
  }

  /** The same for all fields, but `except`. */
  settleAll(except: Element | null = null): void {
    for (const field of [...this.pending.keys()]) {
      if (field !== except) {
        this.settle(field);
      }
    }
  }

  /** Forgets what is still to be told. */
  drop(): void {
    for (const { timer } of this.pending.values()) {
      if (timer !== null) {
        clearTimeout(timer);
      }
    }
    this.pending.clear();
  }

  private note(field: Element, kind: Pending['kind'], given: Portrait | null): Pending | null {
    const known = this.pending.get(field);
    if (known !== undefined) {
      if (known.timer !== null) {
        clearTimeout(known.timer);
      }
      return known;
    }
    this.settleAll(field);
    // Asked now: a button may show the password before the field is left.
    this.secrets.has(field);
    const portrait = given ?? this.portraits.of({ element: field, kind: null });
    if (portrait === null) {
      return null;
    }
    const pending = { kind, portrait, timer: null };
    this.pending.set(field, pending);
    return pending;
  }

  private tell(field: Element, given: Portrait | null, say: (portrait: Portrait) => Act | null): void {
    const portrait = given ?? this.portraits.of({ element: field, kind: null });
    const said = portrait === null ? null : say(portrait);
    if (portrait !== null && said !== null) {
      const target = { ...portrait.target, interactive: true };
      this.act({ ...said, target, ...(portrait.frame === '' ? {} : { frame: portrait.frame }) });
    }
  }

  private filled(field: Element, { isPrivate }: Portrait): Act | null {
    const isSecret = isPrivate || this.secrets.has(field);
    const value = this.values.written(field);
    if (this.told.get(field) === value) {
      return null;
    }
    this.told.set(field, value);
    return isSecret ? { kind: 'fill', secret: true } : { kind: 'fill', value: this.cleaning.clean(value, VALUE_LIMIT) };
  }

  private selected(select: Element, { isPrivate }: Portrait): Act {
    if (isPrivate || this.secrets.has(select)) {
      return { kind: 'select', secret: true };
    }
    const chosen = this.values.chosen(select).slice(0, MOST_CHOSEN);
    const option = this.cleaning.clean(chosen.map((one) => this.portraits.textOfOption(one)).join(', '), VALUE_LIMIT);
    return { kind: 'select', option, options: this.portraits.optionsOf(select) };
  }
}
