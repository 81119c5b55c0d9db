/** What selectors find on the page, before anybody judges whether it is what was learnt. */
import { isOnScreen } from './anchors';
import type { Environment, Tree } from './environment';
import { ENTER } from './survey';

/** What a guide knows of the element of a step. `fallback` and `fingerprint` are empty when it knows none. */
export interface Target {
  selector: string;
  fallback: string;
  fingerprint?: string;
}

export interface Found {
  element: HTMLElement;
  /** "healed": neither selector found it, its fingerprint did. */
  by: 'primary' | 'fallback' | 'healed';
}

const MOST_MATCHES = 100;

/** What the selectors alone say: the one element that the primary finds, else the one of the fallback. */
export function foundBySelectors(
  env: Environment,
  target: Target,
  primary: readonly Element[],
  evenOther: boolean,
): Found | null {
  const fallback = evenOther && primary.length === 0 ? matchesOf(env, target.fallback) : [];
  return only(primary, 'primary') ?? only(fallback, 'fallback');
}

/** The one match; null when there is none, or more than one. */
export function only(matches: readonly Element[], by: Found['by']): Found | null {
  const [element] = matches;
  return element === undefined || matches.length > 1 ? null : { element: element as HTMLElement, by };
}

/** Whether what `selector` points at carries the mark itself, and is not just somewhere. */
export function isLasting(selector: string): boolean {
  const bare = selector.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const last = bare.slice(Math.max(bare.lastIndexOf(' '), bare.lastIndexOf('>')) + 1);
  return last.includes('#') || /\[(?!type=|href\])/.test(last.replace(':not([type])', ''));
}

/** Elements that `selector` finds and people can see; it may enter shadow roots and frames. */
export function matchesOf(env: Environment, selector: string): Element[] {
  return everyMatchOf(env, selector).filter((element) => isOnScreen(env, element));
}

/** The same, whether people can see them or not. */
export function everyMatchOf(env: Environment, selector: string): Element[] {
  const parts = selector.split(ENTER);
  const last = parts.pop() ?? '';
  let tree: Tree | null = env.page();
  for (const part of parts) {
    const hosts: Element[] = tree === null ? [] : select(env, tree, part);
    const [host] = hosts;
    tree = host === undefined || hosts.length > 1 ? null : (env.shadowOf(host) ?? env.framedDocument(host));
  }
  return tree === null ? [] : select(env, tree, last);
}

function select(env: Environment, tree: Tree, selector: string): Element[] {
  if (selector === '') {
    return [];
  }
  try {
    return env.select(tree, selector).slice(0, MOST_MATCHES);
  } catch {
    // A selector that this browser cannot read finds nothing.
    return [];
  }
}
