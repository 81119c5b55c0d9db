/** Which elements of a page a step may be attached to, how they lie in each other, and why others may not. */
import type { A11yNode } from '../api/wire';
import type { Environment } from '../dom/environment';
import { kindOf, type Kind } from '../dom/kinds';
import { isOwnTag } from '../dom/own_ui';
import type { Scan } from '../dom/scanner';
import { strengthOf, type Strength } from './strength';

export interface Choice {
  element: Element;
  node: A11yNode;
  kind: Kind;
  strength: Strength;
}

/** Why nothing can be attached to an element. */
export type Refusal = 'ignored' | 'masked' | 'password' | 'foreign' | 'unfindable' | 'nothing';

/** What is under the pointer: something to choose, or why not. */
export type Sight = { choice: Choice } | { refusal: Refusal; element: Element };

/** The choices of one scan. What it left out cannot be chosen. */
export class Choices {
  private readonly byElement = new Map<Element, Choice>();
  private readonly inOrder: Choice[] = [];

  constructor(
    private readonly env: Environment,
    scan: Scan,
  ) {
    const { nodes } = scan.payload;
    const namesakes = new Map<string, number>();
    for (const node of nodes) {
      namesakes.set(calling(node), (namesakes.get(calling(node)) ?? 0) + 1);
    }
    for (const node of nodes) {
      const element = scan.elements.get(node.id);
      if (element !== undefined && node.state?.closed !== true) {
        const isAlone = (node.label ?? '') !== '' && namesakes.get(calling(node)) === 1;
        const strength = strengthOf(node.selector, node.fallbackSelector ?? '', isAlone);
        const choice = { element, node, kind: scan.kinds.get(node.id) ?? 'other', strength };
        this.byElement.set(element, choice);
        this.inOrder.push(choice);
      }
    }
  }

  /** The choice at `element`, if it still is one. */
  of(element: Element): Choice | null {
    return this.byElement.get(element) ?? null;
  }

  get first(): Choice | null {
    return this.inOrder[0] ?? null;
  }

  /** What choosing at `element` would choose: itself, what a label is for, or what it is a part of. */
  at(element: Element): Sight | null {
    const { env } = this;
    const kept = this.keptAround(element);
    if (kept === 'own') {
      return null;
    }
    if (kept !== null) {
      return { refusal: kept, element };
    }
    for (let current: Element | null = element; current !== null; current = around(env, current)) {
      const choice = this.byElement.get(current) ?? this.byLabel(current);
      if (choice !== undefined) {
        return choice.node.type === 'password' ? { refusal: 'password', element: current } : { choice };
      }
      if (env.tag(current) === 'iframe' && env.framedDocument(current) === null) {
        return { refusal: 'foreign', element: current };
      }
      // The scanner looks at such elements: it left this one out because nothing finds it, or only somebody's own data.
      const kind = kindOf(env, current);
      if (kind?.isInteractive === true && kind.guess === undefined) {
        return { refusal: 'unfindable', element: current };
      }
    }
    return { refusal: 'nothing', element };
  }

  /** The choice around `choice`. */
  parent(choice: Choice): Choice | null {
    for (let outer = around(this.env, choice.element); outer !== null; outer = around(this.env, outer)) {
      const found = this.byElement.get(outer);
      if (found !== undefined) {
        return found;
      }
    }
    return null;
  }

  /** The first choice in `choice`. */
  child(choice: Choice): Choice | null {
    return this.inOrder.find((other) => this.parent(other) === choice) ?? null;
  }

  /** The choice beside `choice` in what they are both in: the one after it (`by` = 1), or before it (-1). */
  beside(choice: Choice, by: 1 | -1): Choice | null {
    const outer = this.parent(choice);
    const siblings = this.inOrder.filter((other) => this.parent(other) === outer);
    return siblings[siblings.indexOf(choice) + by] ?? null;
  }

  private byLabel(element: Element): Choice | undefined {
    const control = this.env.tag(element) === 'label' ? this.env.controlOf(element) : null;
    return control === null ? undefined : this.byElement.get(control);
  }

  /** Whether the page keeps what is at `element` for itself, or it is ours. */
  private keptAround(element: Element): 'own' | 'ignored' | 'masked' | null {
    const { env } = this;
    let isMasked = false;
    for (let current: Element | null = element; current !== null; current = around(env, current)) {
      if (isOwnTag(env.tag(current))) {
        return 'own';
      }
      if (env.attribute(current, 'data-circuy-ignore') !== null) {
        return 'ignored';
      }
      isMasked ||= env.attribute(current, 'data-circuy-mask') !== null;
    }
    return isMasked ? 'masked' : null;
  }
}

/** What an element is in: its parent, what its shadow root hangs on, the frame that its document is in. */
export function around(env: Environment, element: Element): Element | null {
  const parent = env.parent(element);
  if (parent !== null) {
    return parent;
  }
  const tree = env.treeOf(element);
  return tree === null ? null : env.hostOf(tree);
}

function calling({ role, tag, label }: A11yNode): string {
  return `${role ?? tag} ${label ?? ''}`;
}
