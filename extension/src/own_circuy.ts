/** Pages that bring Circuy themselves: there, the extension keeps out. */
import { HOSTS } from '../../sdk/src/dom/own_ui';

/** Whether the page includes Circuy's script, or something of Circuy's stands on it. Ask before we start. */
export function hasOwnCircuy(): boolean {
  const script = document.querySelector('script[src*="circuy.js"]');
  return script !== null || document.querySelector(Object.values(HOSTS).join()) !== null;
}

/**
 * Calls `onSecond` when the page brings Circuy after we have started: by the npm package, or by a script that came
 * late. Its elements are ours too by name, so that it takes two of one kind to tell. The returned function ends it.
 */
export function watchForSecond(onSecond: () => void): () => void {
  const look = () => {
    if (Object.values(HOSTS).some((tag) => document.querySelectorAll(tag).length > 1)) {
      onSecond();
    }
  };
  const observer = new MutationObserver(look);
  // Circuy's elements stand beside `body`, never in it: what the page does there is not looked at.
  observer.observe(document.documentElement, { childList: true });
  return () => {
    observer.disconnect();
  };
}
