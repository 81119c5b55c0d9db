/**
 * A guide that goes on when the tab shows another page. It is written down only as a page is left and taken out as the
 * next one starts: so a tab opened from this one does not inherit it, and no two tabs play it.
 */
import type { Guide } from '../api/wire';

const KEY = 'circuy:guide';
const KEEP_FOR_MS = 30 * 60 * 1000;

export interface KeptGuide {
  guide: Guide;
  /** The step that was shown, from 0. */
  index: number;
  /** The path of the page that the guide was started on. */
  home: string;
}

/** Whether the page before left a guide: cheap to ask, before anything is loaded. */
export function isGuideKept(): boolean {
  try {
    return sessionStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

export function keepGuide(kept: KeptGuide): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...kept, until: Date.now() + KEEP_FOR_MS }));
  } catch {
    // No storage for this page, or no room in it: the guide ends with the page.
  }
}

/** What the page before left, once; null when there is nothing, or nothing that is still of use. */
export function takeGuide(): KeptGuide | null {
  try {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    const kept: unknown = text === null ? null : JSON.parse(text);
    return isKept(kept) && kept.until > Date.now() && kept.until <= Date.now() + KEEP_FOR_MS ? kept : null;
  } catch {
    return null;
  }
}

/** Scripts of the page can write there too: what is read must have the shape that we wrote. */
function isKept(value: unknown): value is KeptGuide & { until: number } {
  const { guide, index, home, until } = (value ?? {}) as Record<string, unknown>;
  const { steps } = (guide ?? {}) as Record<string, unknown>;
  return (
    Array.isArray(steps) &&
    steps.every(isStep) &&
    Number.isInteger(index) &&
    typeof home === 'string' &&
    typeof until === 'number'
  );
}

function isStep(value: unknown): boolean {
  const { attachTo, buttons, title, text } = (value ?? {}) as Record<string, unknown>;
  const { element } = (attachTo ?? {}) as Record<string, unknown>;
  return typeof element === 'string' && Array.isArray(buttons) && typeof title === 'string' && typeof text === 'string';
}
