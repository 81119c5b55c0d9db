/**
 * Which element of the page a learnt target is now. Its selectors propose, its fingerprint judges: what they find must
 * still be called and be what was learnt, and what fits two elements alike is nobody.
 */
import { anchorOf } from './anchors';
import type { Environment } from './environment';
import {
  compare,
  Fingerprints,
  kindOfRole,
  wordsHash,
  readFingerprint,
  type Fingerprint,
  type Likeness,
} from './fingerprint';
import { Names } from './names';
import { Labels } from './labels';
import { foundBySelectors, isLasting, matchesOf, type Found, type Target } from './matches';
import { roleOf } from './roles';
import { Survey, type Sighting, type Ways } from './survey';

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
const FOR_TRANSLATION = 4;
const FOR_LASTING_SELECTOR = 3;
const FOR_POSITION = 1;
/** How far around an anchor its control may be. */
const MOST_AROUND = 5;
/** By how much the best must be better than the second, to be it and not a guess. */
const LEAD = 1;
const ENOUGH = 4;

interface Candidate {
  anchor: Element;
  score: number;
  /** Whether it is called what was learnt. */
  isNamesake: boolean;
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
    return foundBySelectors(env, target, primary, evenOther);
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

function bestOf(candidates: Candidate[]): Found | null {
  const namesakes = candidates.filter(({ isNamesake }) => isNamesake);
  let best: Candidate | null = null;
  let second = 0;
  // Where something is called what was learnt, nothing that is called otherwise is meant, whatever it is marked as.
  for (const candidate of namesakes.length > 0 ? namesakes : candidates) {
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

/** What `anchor` stands for: a label for its control, a picture for the link around it. */
function subjectOf(env: Environment, anchor: Element, learnt: Fingerprint): Element {
  const isIt = (element: Element) => kindOfRole(env, element, roleOf(env, element)) === learnt.role;
  const control = env.tag(anchor) === 'label' ? env.controlOf(anchor) : null;
  if (isIt(anchor) || (control !== null && isIt(control))) {
    return isIt(anchor) ? anchor : (control ?? anchor);
  }
  let around = env.parent(anchor);
  for (let up = 1; up < MOST_AROUND && around !== null && !isIt(around); up += 1) {
    around = env.parent(around);
  }
  return around ?? anchor;
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
    this.fingerprints = new Fingerprints(env, () => true);
  }

  judge({ element, kind, scanned }: Sighting<Ways>): Candidate | null {
    const { env, learnt } = this;
    const role = roleOf(env, element);
    if (kindOfRole(env, element, role) !== learnt.role) {
      return null;
    }
    const anchor = anchorOf(env, element, scanned.index.labels.of(element));
    if (anchor === null) {
      return null;
    }
    const said = scanned.names.of(element) || (kind.guess === undefined ? '' : scanned.names.contentOf(element));
    const context = scanned.places.contextOf(element, kind.kind === 'heading');
    const print = this.fingerprints.of(element, role, said, context);
    const isPrimary = this.primary.has(anchor);
    const isFallback = this.fallback.has(anchor);
    const likeness = compare(learnt, print);
    const score = this.score(likeness, print, isPrimary, isFallback);
    if (score === null) {
      return null;
    }
    const isNamesake = learnt.name !== '' && likeness.name;
    return { anchor, score, isNamesake, by: isPrimary ? 'primary' : isFallback ? 'fallback' : 'healed' };
  }

  /**
   * Null for what could not be it. Names do not speak against an element when the page is in another language, nor against
   * what the page itself marks as the same one. A place alone speaks for nothing.
   */
  private score(likeness: Likeness, print: Fingerprint, isPrimary: boolean, isFallback: boolean): number | null {
    const { learnt, target } = this;
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
    // A namesake in another row is another one's: that it stands where the learnt one stood says nothing in a table.
    if (learnt.row !== '' && !likeness.row && !isMarked && !isTranslation) {
      return null;
    }
    const isSame = likeness.name ? learnt.name !== '' || isMarked || isPointedAt : isMarked || isTranslation;
    if (!isSame) {
      return null;
    }
    const isNamesake = likeness.name && learnt.name !== '';
    const forName = isNamesake ? FOR_NAME : isTranslation ? FOR_TRANSLATION : likeness.name ? FOR_NO_NAME : 0;
    return (
      forName +
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
