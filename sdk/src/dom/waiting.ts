/** Waiting for the page to show something. */
import type { Environment } from './environment';
import type { Found } from './matches';

/** How long to wait for an element that is not there yet, and how long before anything may stand for its primary. */
const WAIT_MS = 3_000;
export const FALLBACK_AFTER_MS = 450;
const SETTLE_MS = 60;
/** What happens in shadow roots and frames, or by a style alone, no observer of the page tells. */
const LOOK_AGAIN_MS = 300;
/** Looking for what stays away may mean reading the whole page: not at each of its changes. */
const WATCH_EVERY_MS = 500;

/**
 * What `resolve` finds, now or later: at once, at changes of the page, and with `evenOther` when that took too long. Null
 * when nothing shows up in time or `signal` is aborted.
 */
export function awaitTarget(resolve: (evenOther: boolean) => Found | null, signal: AbortSignal): Promise<Found | null> {
  return new Promise((done) => {
    let mayFallBack = false;
    const finish = (found: Found | null) => {
      stopWatching();
      clearTimeout(fallbackTimer);
      clearTimeout(lastTimer);
      signal.removeEventListener('abort', giveUp);
      done(found);
    };
    const giveUp = () => {
      finish(null);
    };
    const tryNow = () => {
      const found = resolve(mayFallBack);
      if (found !== null) {
        finish(found);
      }
    };
    const stopWatching = onPageChange(tryNow, SETTLE_MS, LOOK_AGAIN_MS);
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

/** Calls `onFound` once `resolve` finds something after all. The returned function stops watching. */
export function watchForTarget(resolve: () => Found | null, onFound: (found: Found) => void): () => void {
  const stop = onPageChange(
    () => {
      const found = resolve();
      if (found !== null) {
        stop();
        onFound(found);
      }
    },
    SETTLE_MS,
    WATCH_EVERY_MS,
  );
  return stop;
}

/** Whether people can see `element` and act on it where it is. */
export function isThere(env: Environment, element: Element): boolean {
  return element.isConnected && env.isRendered(element) && env.hasBox(element);
}

/**
 * Calls `listener` `settleMs` after the page has changed, once for many changes, and every `againMs` in any case: under a
 * page that never rests, that often.
 */
function onPageChange(listener: () => void, settleMs: number, againMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isBusy = false;
  const run = () => {
    timer = null;
    isBusy = true;
    listener();
  };
  const observer = new MutationObserver(() => {
    timer ??= setTimeout(run, isBusy ? againMs : settleMs);
  });
  const again = setInterval(() => {
    isBusy = false;
    if (timer === null) {
      listener();
    }
  }, againMs);
  observer.observe(document.documentElement, { subtree: true, childList: true, attributes: true });
  return () => {
    observer.disconnect();
    clearInterval(again);
    if (timer !== null) {
      clearTimeout(timer);
    }
  };
}
