/** Which page each step of a guide belongs to. */
import type { Guide } from '../api/wire';
import { matchesPattern } from '../core/routes';

/** Where a tab is: `location`, or what stands for it. */
export type Place = Pick<Location, 'pathname' | 'hash'>;

/** Whether a step with this route takes place at `place`. A route with a `#` also names a page by its hash. */
export function isOn(route: string, place: Place): boolean {
  const [path = '', hash] = route.split('#', 2);
  return (
    (path === '' || matchesPattern(path, place.pathname)) &&
    (hash === undefined || matchesPattern(hash, place.hash.slice(1)))
  );
}

/** The first step from `from` on that says it takes place at `place`; -1 when none does. */
export function nextStepOn(guide: Guide, from: number, place: Place): number {
  return guide.steps.findIndex(({ route = '' }, index) => index >= from && route !== '' && isOn(route, place));
}

/**
 * The step to go on with in a tab that was at step `index` of a guide when its page was left; -1 when the page it shows
 * now has nothing to do with the guide. `home` is the path of the page that the guide was started on.
 */
export function stepToResume(guide: Guide, index: number, home: string, place: Place): number {
  const route = guide.steps[index]?.route ?? '';
  if (index >= 0 && index < guide.steps.length && isOn(route === '' ? home : route, place)) {
    return index;
  }
  return nextStepOn(guide, index, place);
}

/** The address of a route on this site, when it names exactly one page. */
export function addressOf(route: string, origin: string): string | null {
  if (route.includes('*') || !route.startsWith('/')) {
    return null;
  }
  const url = new URL(route, origin);
  return url.origin === origin ? url.href : null;
}
