/** Finding the element that a guide's step is about, also when it comes late, and never another one instead. */
import type { Environment } from './environment';
import { resolveTarget, type Found, type Target } from './resolution';

export type { Found, Target } from './resolution';

/** How long to wait for an element that is not there yet, and how long before anything may stand for its primary. */
export const WAIT_MS = 3_000;
export const FALLBACK_AFTER_MS = 450;
const SETTLE_MS = 60;

/**
 * Waits for `target`: what its primary selector finds at once or as soon as the page has drawn it; its fallback, or an
 * element that is like the learnt one, when the primary stays away; null when none shows up in time or `signal` is
 * aborted.
 */
export function lookFor(env: Environment, target: Target, signal: AbortSignal): Promise<Found | null> {
  return new Promise((resolve) => {
    let mayFallBack = false;
    const finish = (found: Found | null) => {
      stopWatching();
      clearTimeout(fallbackTimer);
      clearTimeout(lastTimer);
      signal.removeEventListener('abort', giveUp);
      resolve(found);
    };
    const giveUp = () => {
      finish(null);
    };
    const tryNow = () => {
      const found = resolveTarget(env, target, mayFallBack);
      if (found !== null) {
        finish(found);
      }
    };
    const stopWatching = onPageChange(tryNow);
    // The timer says when, not a clock beside it: timers may fire a fraction of a millisecond early.
    const fallbackTimer = setTimeout(() => {
      mayFallBack = true;
      tryNow();
    }, FALLBACK_AFTER_MS);
    const lastTimer = setTimeout(giveUp, WAIT_MS);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) {
      giveUp();
    } else {
      tryNow();
    }
  });
}

/** Calls `onFound` when a missing target shows up after all, while `isWanted`. The returned function stops watching. */
export function watchFor(
  env: Environment,
  target: Target,
  isWanted: () => boolean,
  onFound: (found: Found) => void,
): () => void {
  const stop = onPageChange(() => {
    const found = isWanted() ? resolveTarget(env, target, true) : null;
    if (found !== null) {
      stop();
      onFound(found);
    }
  });
  return stop;
}

/** Whether people can see `element` and act on it where it is. */
export function isThere(env: Environment, element: Element): boolean {
  return element.isConnected && env.isRendered(element) && env.hasBox(element);
}

/** Calls `listener` shortly after the page has changed, once for many changes. */
function onPageChange(listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const observer = new MutationObserver(() => {
    timer ??= setTimeout(() => {
      timer = null;
      listener();
    }, SETTLE_MS);
  });
  observer.observe(document.documentElement, { subtree: true, childList: true, attributes: true });
  return () => {
    observer.disconnect();
    if (timer !== null) {
      clearTimeout(timer);
    }
  };
}
