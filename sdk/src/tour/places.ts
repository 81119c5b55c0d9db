/** Noticing that the page has become another one without being loaded again. */

/** What no event tells (`replaceState` where the browser has no Navigation API) is seen this much later at most. */
const LOOK_EVERY_MS = 300;

/** Calls `onChange` when the address of the page has changed. Nothing of the page's `history` is touched. */
export function watchPlace(onChange: () => void, signal: AbortSignal): void {
  let { href } = location;
  const look = () => {
    if (location.href !== href) {
      ({ href } = location);
      onChange();
    }
  };
  const navigation = (window as { navigation?: EventTarget }).navigation;
  navigation?.addEventListener('currententrychange', look, { signal });
  window.addEventListener('popstate', look, { signal });
  window.addEventListener('hashchange', look, { signal });
  const timer = setInterval(look, LOOK_EVERY_MS);
  signal.addEventListener('abort', () => {
    clearInterval(timer);
  });
}
