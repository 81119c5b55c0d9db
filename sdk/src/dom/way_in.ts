/** What has to be opened first for a target to be seen: the summary, tab or button that shows the part it is in. */
import { isOnScreen } from './anchors';
import { Closures } from './closures';
import type { Environment, Tree } from './environment';
import { readFingerprint, wordsHash } from './fingerprint';
import { Labels } from './labels';
import { Names } from './names';
import { PageIndex } from './page_index';
import { everyMatchOf, isLasting, type Target } from './matches';

export interface WayIn {
  opener: HTMLElement;
  /** What people call it; empty when it has no name. */
  name: string;
}

/** Null when no selector finds one closed element that is what was learnt, or when nothing is known to open it. */
export function wayInTo(env: Environment, target: Target): WayIn | null {
  for (const selector of [target.selector, target.fallback]) {
    const element = selector === '' ? null : closedElement(env, target, selector);
    const tree = element === null ? null : env.treeOf(element);
    if (element !== null && tree !== null) {
      const opener = new Closures(env, PageIndex.of(env, tree)).of(element)?.opener ?? null;
      if (opener !== null && isOnScreen(env, opener)) {
        return { opener: opener as HTMLElement, name: namesIn(env, tree).of(opener) };
      }
    }
  }
  return null;
}

function closedElement(env: Environment, target: Target, selector: string): Element | null {
  const found = everyMatchOf(env, selector);
  const [element] = found;
  if (element === undefined || found.length > 1 || isOnScreen(env, element)) {
    return null;
  }
  const learnt = readFingerprint(target.fingerprint);
  const tree = env.treeOf(element);
  if (learnt === null || learnt.name === '' || tree === null || isLasting(selector)) {
    return element;
  }
  return wordsHash(namesIn(env, tree).of(element) || env.allText(element)) === learnt.name ? element : null;
}

function namesIn(env: Environment, tree: Tree): Names {
  return new Names(env, new Labels(env, tree).of);
}
