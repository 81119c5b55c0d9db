import type { A11yNode, NodeContext, NodeState } from '../api/wire';
import { isGeneratedName } from '../core/generated_names';
import type { Cleaning } from './cleaning';
import type { Environment } from './environment';
import { isKeptPrivate, type Names } from './names';
import { inputType } from './roles';
import type { Surroundings } from './surroundings';

const LABEL_LIMIT = 30;
export const TEXT_LIMIT = 80;
const NAME_LIMIT = 300;
const MOST_OPTIONS = 12;
const WITH_NAMES = new Set(['input', 'select', 'textarea', 'button']);
const CONTEXT_KEYS = ['heading', 'form', 'group', 'row', 'column', 'landmark'] as const;

/** What a node says of an element in words and states; nothing that anybody typed or chose. */
export class Descriptions {
  constructor(
    private readonly env: Environment,
    private readonly cleaning: Cleaning,
  ) {}

  /** Writes type, label, placeholder, role and name. `name` is empty for what is private. */
  identity(node: A11yNode, element: Element, role: string | null, name: string, isPrivate: boolean): void {
    const { env, cleaning } = this;
    const { tag } = node;
    const isTyped = tag === 'input' || tag === 'textarea';
    const type = tag === 'input' ? inputType(env, element) : tag === 'button' ? env.attribute(element, 'type') : null;
    put(node, 'type', cleaning.clean(type ?? '', TEXT_LIMIT));
    put(node, 'label', cleaning.clean(name, LABEL_LIMIT));
    if (isTyped && !isPrivate) {
      put(node, 'placeholder', cleaning.clean(env.attribute(element, 'placeholder') ?? '', TEXT_LIMIT));
    }
    put(node, 'role', cleaning.clean(role ?? '', TEXT_LIMIT));
    const given = WITH_NAMES.has(tag) ? (env.attribute(element, 'name') ?? '') : '';
    put(node, 'name', given === '' || isGeneratedName(given) ? '' : cleaning.clean(given, NAME_LIMIT));
  }

  /** The first options of a select: what can be chosen, never what is. */
  options(select: Element, names: Names): string[] {
    const options: string[] = [];
    this.collect(select, names, options);
    return options;
  }

  context(words: NodeContext): NodeContext {
    const cleaned: NodeContext = {};
    for (const key of CONTEXT_KEYS) {
      const said = words[key];
      const text = said === undefined ? '' : this.cleaning.clean(said, TEXT_LIMIT);
      if (text !== '') {
        cleaned[key] = text;
      }
    }
    return cleaned;
  }

  /** Whether it can be used, and what it unfolds. What is ticked is somebody's choice, and is not said. */
  state(element: Element, around: Surroundings, isPrivate: boolean): NodeState {
    const { env } = this;
    const names = env.attributeNames(element);
    const isTrue = (name: string) => names.includes(name) && env.attribute(element, name) === 'true';
    const canBeDisabled = WITH_NAMES.has(env.tag(element));
    const state: NodeState = {};
    if ((canBeDisabled && (around.isDisabled || names.includes('disabled'))) || isTrue('aria-disabled')) {
      state.disabled = true;
    }
    if (names.includes('required') || isTrue('aria-required')) {
      state.required = true;
    }
    if (around.isAriaHidden || isTrue('aria-hidden')) {
      state.ariaHidden = true;
    }
    if (!isPrivate && names.includes('aria-expanded')) {
      state.expanded = isTrue('aria-expanded');
    }
    if (!isPrivate && names.includes('aria-selected') && env.attribute(element, 'role') === 'tab') {
      state.selected = isTrue('aria-selected');
    }
    return state;
  }

  private collect(parent: Element, names: Names, options: string[]): void {
    const { env } = this;
    for (
      let child = env.firstElement(parent);
      child !== null && options.length < MOST_OPTIONS;
      child = env.nextElement(child)
    ) {
      if (isKeptPrivate(env, child)) {
        continue;
      }
      const tag = env.tag(child);
      if (tag === 'optgroup') {
        this.collect(child, names, options);
      } else if (tag === 'option') {
        const text = this.cleaning.clean(names.contentOf(child), TEXT_LIMIT);
        if (text !== '') {
          options.push(text);
        }
      }
    }
  }
}

/** Writes what is not empty. */
export function put<Key extends keyof A11yNode>(node: A11yNode, key: Key, value: NonNullable<A11yNode[Key]>): void {
  if (typeof value === 'string' ? value !== '' : Object.keys(value).length > 0) {
    node[key] = value;
  }
}
