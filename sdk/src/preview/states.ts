/** Whether each step of a guide finds its element on the page as it is now, and how. */
import type { Guide, Step } from '../api/wire';
import type { Environment } from '../dom/environment';
import { readFingerprint } from '../dom/fingerprint';
import { matchesOf, type Found } from '../dom/matches';
import { resolveTarget } from '../dom/resolution';
import { wayInTo } from '../dom/way_in';
import { targetOf } from '../tour/finder';
import { isOn, type Place } from '../tour/itinerary';
import { strengthOf } from './strength';

/** "closed": in a part of the page that has to be opened first. "elsewhere": on another page. */
export type StepState = Found['by'] | 'fragile' | 'closed' | 'ambiguous' | 'missing' | 'elsewhere';

export interface StepSight {
  state: StepState;
  /** What the guide would point at. */
  element: Element | null;
}

/** What a reviewer has to look at: a step that may fail on a user's page. */
export function isWorrying(state: StepState): boolean {
  return state !== 'primary' && state !== 'closed' && state !== 'elsewhere';
}

export function sightsOf(env: Environment, guide: Guide, place: Place): StepSight[] {
  return guide.steps.map((step) => sightOf(env, step, place));
}

function sightOf(env: Environment, step: Step, place: Place): StepSight {
  if (step.route !== undefined && step.route !== '' && !isOn(step.route, place)) {
    return { state: 'elsewhere', element: null };
  }
  const target = targetOf(step);
  const found = resolveTarget(env, target, true);
  if (found !== null) {
    const isNamed = (readFingerprint(target.fingerprint)?.name ?? '') !== '';
    const isFragile = found.by === 'primary' && strengthOf(target.selector, target.fallback, isNamed) === 'fragile';
    return { state: isFragile ? 'fragile' : found.by, element: found.element };
  }
  if (wayInTo(env, target) !== null) {
    return { state: 'closed', element: null };
  }
  const isAmbiguous = [target.selector, target.fallback].some((selector) => matchesOf(env, selector).length > 1);
  return { state: isAmbiguous ? 'ambiguous' : 'missing', element: null };
}
