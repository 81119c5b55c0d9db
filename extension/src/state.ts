/** What the extension remembers, in this browser alone. The background, the pages and the content script follow it. */

/** The server that people are helped by, and the publishable key it knows them by. */
export interface Access {
  /** Origin of the Circuy server. */
  server: string;
  key: string;
}

export type Language = 'auto' | 'fr' | 'en';

export interface State {
  /** Null until the options page has checked one. */
  access: Access | null;
  language: Language;
  /** Origins on which Circuy was enabled, sorted. */
  sites: readonly string[];
}

export async function readState(): Promise<State> {
  const stored: Record<string, unknown> = await chrome.storage.local.get(['access', 'language', 'sites']);
  const { access, language, sites } = stored;
  return {
    access: isAccess(access) ? access : null,
    language: language === 'fr' || language === 'en' ? language : 'auto',
    sites: Array.isArray(sites) ? sites.filter((site) => typeof site === 'string') : [],
  };
}

export async function writeState(change: Partial<State>): Promise<void> {
  await chrome.storage.local.set(change);
}

/** Calls `listener` with the state after each change of it. */
export function onStateChange(listener: (state: State) => void): void {
  chrome.storage.onChanged.addListener((_changes, area) => {
    if (area === 'local') {
      void readState().then(listener);
    }
  });
}

function isAccess(value: unknown): value is Access {
  const { server, key } = (value ?? {}) as Partial<Record<keyof Access, unknown>>;
  return typeof server === 'string' && typeof key === 'string';
}
