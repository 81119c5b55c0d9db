/** Finding the element that a guide's step is about, also when it comes late, and never another one instead. */
import type { Environment } from './environment';
import type { Found, Target } from './matches';
import { resolveTarget } from './resolution';
import { awaitTarget } from './waiting';

export type { Found, Target } from './matches';
export { FALLBACK_AFTER_MS } from './waiting';

/**
 * Waits for `target`: what its primary selector finds at once or as soon as the page has drawn it; its fallback, or an
 * element that is like the learnt one, when the primary stays away; null when none shows up in time or `signal` is
 * aborted.
 */
export function lookFor(env: Environment, target: Target, signal: AbortSignal): Promise<Found | null> {
  return awaitTarget((evenOther) => resolveTarget(env, target, evenOther), signal);
}
