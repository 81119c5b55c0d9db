/**
 * Changes of page and of route, with what caused them. The page's `history` is left as it is: where the browser has a
 * Navigation API it tells, else the address is looked at now and then.
 */
import type { Departure } from './tab';
import type { Cause } from './wire';

/** How long after an action a change of page is its effect. */
export const EFFECT_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 300;

export interface Move {
  cause: Cause;
  from: string;
}

interface ChangeEvent extends Event {
  navigationType: string | null;
  from: { index: number };
}

type Navigation = EventTarget & { currentEntry: { index: number } | null };

/** This page's place in the history of the tab; -1 where the browser does not tell. */
export function historyIndex(): number {
  return navigation()?.currentEntry?.index ?? -1;
}

/** Why this page is there, after one that was recorded. */
export function arrival(before: Departure, isRestored: boolean): Cause {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const type = isRestored ? 'back_forward' : (entry?.type ?? 'navigate');
  if (type === 'reload') {
    return 'reload';
  }
  if (type === 'back_forward') {
    return traversal(before.index, historyIndex());
  }
  if (before.by === 'link' || before.by === 'form') {
    return before.by;
  }
  return before.by === 'other' || isLinked(before.url) ? 'script' : 'typed';
}

/** Calls `onMove` when the address of the page changes without another page being loaded. */
export function watchRoutes(onMove: (move: Move) => void, signal: AbortSignal): void {
  let { href } = location;
  let { length } = history;
  let hasPopped = false;
  const moved = (cause: Cause) => {
    const from = href;
    ({ href } = location);
    ({ length } = history);
    hasPopped = false;
    if (from !== href) {
      onMove({ cause, from });
    }
  };
  const api = navigation();
  if (api !== undefined) {
    const changed = (event: Event) => {
      const { navigationType, from } = event as ChangeEvent;
      moved(causeOf(navigationType, from.index, historyIndex()));
    };
    api.addEventListener('currententrychange', changed, { signal });
    return;
  }
  const look = () => {
    if (location.href !== href) {
      moved(hasPopped ? 'pop' : history.length > length ? 'push' : 'replace');
    }
  };
  const popped = () => {
    hasPopped = true;
    // The page answers to it first.
    setTimeout(look, 0);
  };
  window.addEventListener('popstate', popped, { signal });
  const timer = setInterval(look, LOOK_EVERY_MS);
  signal.addEventListener('abort', () => {
    clearInterval(timer);
  });
}

function causeOf(type: string | null, from: number, to: number): Cause {
  switch (type) {
    case 'push':
      return 'push';
    case 'traverse':
      return traversal(from, to);
    case 'reload':
      return 'reload';
    default:
      return 'replace';
  }
}

function traversal(from: number, to: number): Cause {
  return from !== -1 && to > from ? 'forward' : 'back';
}

/** Whether the page before led here: what is typed in the address bar comes from nowhere. */
function isLinked(before: string): boolean {
  return (
    document.referrer !== '' && URL.canParse(before) && new URL(document.referrer).origin === new URL(before).origin
  );
}

function navigation(): Navigation | undefined {
  return (window as { navigation?: Navigation }).navigation;
}
