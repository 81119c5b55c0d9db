/**
 * Which element of the page a learnt target is now. Its selectors propose, its fingerprint judges: what they find must
 * still be called and be what was learnt, and what fits two elements alike is nobody.
 */
import type { Environment, Tree } from './environment';
import { compare, Fingerprints, kindOfRole, wordsHash, readFingerprint, type Fingerprint } from './fingerprint';
import { Names } from './names';
import { isOwnTag } from './own_ui';
import { Labels } from './labels';
import { roleOf } from './roles';
import { ENTER, Survey, type Sighting, type Ways } from './survey';

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

/** Elements are looked at wherever they are: no way to them is needed. */
const ANYWHERE: Ways = { into: () => '' };

/** Weights of what speaks for an element. A name says most; that both have none says little. */
const FOR_NAME = 4;
const FOR_NO_NAME = 1;
const FOR_ATTRIBUTE = 2;
const MOST_ATTRIBUTES = 2;
const FOR_ROW = 2;
const FOR_HEADING = 0.5;
const FOR_FORM = 0.5;
/** A page in another language is the same page: what stands in the same place there is most likely the same. */
const FOR_TRANSLATION = 3;
const FOR_LASTING_SELECTOR = 3;
const FOR_POSITION = 1;
/** By how much the best must be better than the second, to be it and not a guess. */
const LEAD = 1;
const ENOUGH = 5;

interface Candidate {
  anchor: Element;
  score: number;
  by: Found['by'];
}

/**
 * The element, if it is on screen and no other could be meant. `evenOther`: also when the primary selector does not find
 * it, or finds something that is no longer called the same.
 */
export function resolveTarget(env: Environment, target: Target, evenOther: boolean): Found | null {
  const primary = matchesOf(env, target.selector);
  const learnt = readFingerprint(target.fingerprint);
  if (learnt === null) {
    const fallback = evenOther && primary.length === 0 ? matchesOf(env, target.fallback) : [];
    return only(primary, 'primary') ?? only(fallback, 'fallback');
  }
  const [first] = primary;
  const isCalledSame =
    first !== undefined && primary.length === 1 && learnt.name !== '' && isCalled(env, first, learnt);
  if (isCalledSame && isLasting(target.selector)) {
    return { element: first as HTMLElement, by: 'primary' };
  }
  if (!isCalledSame && !evenOther) {
    return null;
  }
  const best = bestOf(candidatesFor(env, target, learnt, primary));
  return evenOther || best?.by === 'primary' ? best : null;
}

function only(matches: readonly Element[], by: Found['by']): Found | null {
  const [element] = matches;
  return element === undefined || matches.length > 1 ? null : { element: element as HTMLElement, by };
}

function bestOf(candidates: Candidate[]): Found | null {
  let best: Candidate | null = null;
  let second = 0;
  for (const candidate of candidates) {
    if (best === null || candidate.score > best.score) {
      second = best?.score ?? 0;
      best = candidate;
    } else {
      second = Math.max(second, candidate.score);
    }
  }
  return best === null || best.score < ENOUGH || best.score - second < LEAD
    ? null
    : { element: best.anchor as HTMLElement, by: best.by };
}

/** Whether `element` still is and is called what was learnt. */
function isCalled(env: Environment, element: Element, learnt: Fingerprint): boolean {
  const tree = env.treeOf(element);
  if (tree === null) {
    return false;
  }
  const subject = subjectOf(env, element, learnt);
  if (kindOfRole(env, subject, roleOf(env, subject)) !== learnt.role) {
    return false;
  }
  const names = new Names(env, new Labels(env, tree).of);
  const said = names.of(subject) || names.contentOf(subject);
  return wordsHash(said) === learnt.name;
}

/** A label may stand for its control. */
function subjectOf(env: Environment, element: Element, learnt: Fingerprint): Element {
  const control = env.tag(element) === 'label' && learnt.role !== 'tag-label' ? env.controlOf(element) : null;
  return control ?? element;
}

/** Everything on the page that could be meant: what the selectors find, and what is called or marked the same. */
function candidatesFor(
  env: Environment,
  target: Target,
  learnt: Fingerprint,
  primary: readonly Element[],
): Candidate[] {
  const judge = new Judge(env, target, learnt, primary);
  const survey = new Survey(env, () => ANYWHERE);
  const candidates: Candidate[] = [];
  for (const sighting of survey.sightings()) {
    const candidate = sighting === null ? null : judge.judge(sighting);
    if (candidate !== null) {
      candidates.push(candidate);
    }
  }
  return candidates;
}

class Judge {
  private readonly primary: ReadonlySet<Element>;
  private readonly fallback: ReadonlySet<Element>;
  private readonly fingerprints: Fingerprints;

  constructor(
    private readonly env: Environment,
    private readonly target: Target,
    private readonly learnt: Fingerprint,
    primary: readonly Element[],
  ) {
    this.primary = new Set(primary);
    this.fallback = new Set(matchesOf(env, target.fallback));
    this.fingerprints = new Fingerprints(env);
  }

  judge({ element, kind, scanned }: Sighting<Ways>): Candidate | null {
    const { env, learnt } = this;
    const role = roleOf(env, element);
    if (kindOfRole(env, element, role) !== learnt.role) {
      return null;
    }
    const anchor = isOnScreen(env, element)
      ? element
      : scanned.index.labels.of(element).find((label) => isOnScreen(env, label));
    if (anchor === undefined) {
      return null;
    }
    const said = scanned.names.of(element) || (kind.guess === undefined ? '' : scanned.names.contentOf(element));
    const context = scanned.places.contextOf(element, kind.kind === 'heading');
    const print = this.fingerprints.of(element, role, said, context);
    const isPrimary = this.primary.has(anchor);
    const isFallback = this.fallback.has(anchor);
    const score = this.score(print, isPrimary, isFallback);
    if (score === null) {
      return null;
    }
    return { anchor, score, by: isPrimary ? 'primary' : isFallback ? 'fallback' : 'healed' };
  }

  /**
   * Null for what could not be it. Names do not speak against an element when the page is in another language, nor against
   * what the page itself marks as the same one. A place alone speaks for nothing.
   */
  private score(print: Fingerprint, isPrimary: boolean, isFallback: boolean): number | null {
    const { learnt, target } = this;
    const likeness = compare(learnt, print);
    const isPointedAt = isPrimary || isFallback;
    const isMarked =
      (isPrimary && isLasting(target.selector)) ||
      (isFallback && isLasting(target.fallback)) ||
      likeness.attributes > 0;
    const isTranslation =
      isPointedAt &&
      learnt.language !== print.language &&
      learnt.language !== '' &&
      print.language !== '' &&
      likeness.attributes === learnt.attributes.length;
    const isSame = likeness.name ? learnt.name !== '' || isMarked || isPointedAt : isMarked || isTranslation;
    if (!isSame) {
      return null;
    }
    return (
      (likeness.name ? (learnt.name === '' ? FOR_NO_NAME : FOR_NAME) : isTranslation ? FOR_TRANSLATION : 0) +
      Math.min(likeness.attributes, MOST_ATTRIBUTES) * FOR_ATTRIBUTE +
      (likeness.row ? FOR_ROW : 0) +
      (likeness.heading ? FOR_HEADING : 0) +
      (likeness.form ? FOR_FORM : 0) +
      (isPrimary ? weightOf(target.selector) : 0) +
      (isFallback ? weightOf(target.fallback) : 0)
    );
  }
}

function weightOf(selector: string): number {
  return isLasting(selector) ? FOR_LASTING_SELECTOR : FOR_POSITION;
}

/** Whether what `selector` points at carries the mark itself, and is not just somewhere. */
function isLasting(selector: string): boolean {
  const bare = selector.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const last = bare.slice(Math.max(bare.lastIndexOf(' '), bare.lastIndexOf('>')) + 1);
  return last.includes('#') || /\[(?!type=|href\])/.test(last.replace(':not([type])', ''));
}

/** Elements that `selector` finds and people can see; it may enter shadow roots and frames. */
function matchesOf(env: Environment, selector: string): Element[] {
  const parts = selector.split(ENTER);
  const last = parts.pop() ?? '';
  let tree: Tree | null = env.page();
  for (const part of parts) {
    const hosts: Element[] = tree === null ? [] : select(env, tree, part);
    const [host] = hosts;
    tree = host === undefined || hosts.length > 1 ? null : (env.shadowOf(host) ?? env.framedDocument(host));
  }
  return tree === null ? [] : select(env, tree, last).filter((element) => isOnScreen(env, element));
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

function isOnScreen(env: Environment, element: Element): boolean {
  return !isOwnTag(env.tag(element)) && env.isRendered(element) && env.hasBox(element);
}
