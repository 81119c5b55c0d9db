/**
 * The script that a host page includes. It defines `window.Circuy` and stays out of the way: the rest arrives when the
 * page is idle, or at the first call. Calls that the page made before it came are done now, in their order.
 */
import type { CircuyApi } from './api';
import { Circuy } from './circuy';

declare const WIDGET_CHUNK: string;
declare const RECORDER_CHUNK: string;
declare const PREVIEW_CHUNK: string;
declare const SHADOW_CHUNK: string;

/** A call made before the script came: its name, its arguments, and whom to tell what it gave. */
type EarlyCall = [keyof CircuyApi, unknown[], (result: unknown) => void];

const script = (document.currentScript ??
  document.querySelector('script[data-key][src*="circuy.js"]')) as HTMLScriptElement | null;

if (script !== null) {
  // Nothing, the page's list of early calls, an element that has this for its id, or ourselves already.
  const before = window.Circuy as unknown as { q?: EarlyCall[]; version?: unknown } | undefined;
  if (typeof before?.version !== 'string') {
    start(script, Array.isArray(before?.q) ? before.q : []);
  }
}

function start(from: HTMLScriptElement, early: EarlyCall[]): void {
  const source = new URL(from.src);
  const chunk = <Module>(name: string): Promise<Module> => import(new URL(name, source).href) as Promise<Module>;
  const circuy = new Circuy({
    widget: () => chunk(WIDGET_CHUNK),
    recorder: () => chunk(RECORDER_CHUNK),
    preview: () => chunk(PREVIEW_CHUNK),
    shadow: () => chunk(SHADOW_CHUNK),
    server: source.origin,
    data: () => from.dataset,
  });
  window.Circuy = circuy;
  if (from.dataset.key !== undefined && !early.some(([name]) => name === 'init')) {
    circuy.init();
  }
  for (const [name, given, tell] of early) {
    const call: unknown = circuy[name];
    if (typeof call === 'function') {
      tell((call as (...given: unknown[]) => unknown)(...given));
    } else {
      console.error(`Circuy.${name}: there is no such call.`);
    }
  }
}
