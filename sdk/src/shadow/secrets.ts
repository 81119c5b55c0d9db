/**
 * Fields whose value never leaves the page. What was once a password stays one: a "show the password" button turns it into
 * a plain text field, or puts another field of the same name in its place.
 */
import type { Environment, Tree } from '../dom/environment';
import { inputType } from '../dom/roles';

const PASSWORDS = 'input[type="password" i]';
const COMPLETED = /^(?:current-password|new-password|one-time-code|cc-[a-z-]+)$/;
const CALLED =
  /passw|pass_?phrase|mot.?de.?passe|\bmdp\b|(?:^|[^a-z])(?:cvv|cvc|csc|otp|totp|pin)(?:$|[^a-z])|cryptogramme|one.?time|secret|code.?confidentiel/i;

export class Secrets {
  private readonly seen = new WeakSet<Element>();
  /** Ids and names that password fields of this page had. */
  private readonly words = new Set<string>();
  private readonly observers = new Map<Tree, MutationObserver>();

  constructor(private readonly env: Environment) {}

  /** Notes the passwords of a tree, now and as they come and go. */
  watch(tree: Tree): void {
    if (this.observers.has(tree)) {
      return;
    }
    this.note(tree);
    const observer = new MutationObserver((records) => {
      this.read(tree, records);
    });
    observer.observe(tree, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeOldValue: true,
      attributeFilter: ['type'],
    });
    this.observers.set(tree, observer);
  }

  has(element: Element): boolean {
    const { env } = this;
    for (const [tree, observer] of this.observers) {
      this.read(tree, observer.takeRecords());
    }
    if (this.seen.has(element)) {
      return true;
    }
    if (this.isOne(element)) {
      this.add(element);
      return true;
    }
    return env.tag(element) === 'input' && this.wordsOf(element).some((word) => this.words.has(word));
  }

  close(): void {
    for (const observer of this.observers.values()) {
      observer.disconnect();
    }
    this.observers.clear();
  }

  private isOne(element: Element): boolean {
    const { env } = this;
    const tag = env.tag(element);
    if (tag === 'input' && inputType(env, element) === 'password') {
      return true;
    }
    const tokens = (env.attribute(element, 'autocomplete') ?? '').toLowerCase().split(/\s+/);
    if (tokens.some((token) => COMPLETED.test(token))) {
      return true;
    }
    const isTyped = tag === 'input' || tag === 'textarea';
    const words = ['name', 'id', 'aria-label', 'placeholder'].map((name) => env.attribute(element, name) ?? '');
    return (
      isTyped &&
      (words.some((word) => CALLED.test(word)) ||
        isVeiled(env.style(element).getPropertyValue('-webkit-text-security')))
    );
  }

  private note(tree: Tree): void {
    for (const element of this.env.select(tree, PASSWORDS)) {
      this.add(element);
    }
  }

  /** What was a password until now, and what came as one. */
  private read(tree: Tree, records: readonly MutationRecord[]): void {
    for (const { type, target, oldValue } of records) {
      if (type === 'attributes' && oldValue?.trim().toLowerCase() === 'password') {
        this.add(target as Element);
      }
    }
    if (records.some(({ type }) => type === 'childList')) {
      this.note(tree);
    }
  }

  private add(element: Element): void {
    this.seen.add(element);
    for (const word of this.wordsOf(element)) {
      this.words.add(word);
    }
  }

  private wordsOf(element: Element): string[] {
    return ['id', 'name'].flatMap((name) => {
      const value = this.env.attribute(element, name) ?? '';
      return value === '' ? [] : [`${name}=${value}`];
    });
  }
}

function isVeiled(security: string): boolean {
  return security !== '' && security !== 'none';
}
