/** On which sites Circuy is: the list, the content script registered for it, and the browser's permissions. */
import { readState, writeState } from './state';

const SCRIPT = { id: 'circuy', js: ['content.js'] };

/** The match pattern of all pages of `origin`. */
export function patternOf(origin: string): string {
  return `${origin}/*`;
}

/** Asks the person for the pages of `origin`; call it while they click. The background goes on if the popup is closed. */
export function askForSite(origin: string): Promise<boolean> {
  void chrome.storage.session.set({ asking: origin });
  return chrome.permissions.request({ origins: [patternOf(origin)] });
}

/** The site that the popup asked for, if it is among `patterns` that the person has just granted. */
export async function askedSite(patterns: readonly string[]): Promise<string | null> {
  const { asking } = await chrome.storage.session.get('asking');
  return typeof asking === 'string' && patterns.includes(patternOf(asking)) ? asking : null;
}

/** Puts Circuy on the pages of `origin`, those that are open too. The person has granted the permission. */
export function enableSite(origin: string): Promise<void> {
  return change(async (sites) => {
    await settle([...new Set([...sites, origin])].sort());
    const tabs = await chrome.tabs.query({ url: patternOf(origin) });
    await Promise.all(tabs.map(putInto));
  });
}

/** Takes Circuy off the pages of `origin` and gives the permission back. */
export function removeSite(origin: string): Promise<void> {
  return change(async (sites) => {
    await settle(sites.filter((site) => site !== origin));
    await chrome.permissions.remove({ origins: [patternOf(origin)] });
  });
}

/** Forgets sites whose permission was taken back, and registers the content script again: an update forgets it. */
export function reviewSites(): Promise<void> {
  return change(async (sites) => {
    const held = await Promise.all(sites.map((site) => chrome.permissions.contains({ origins: [patternOf(site)] })));
    await settle(sites.filter((_site, index) => held[index]));
  });
}

/** Runs one change of the sites at a time, whichever page of the extension it comes from. */
function change(work: (sites: readonly string[]) => Promise<void>): Promise<void> {
  return navigator.locks.request('sites', async () => {
    await work((await readState()).sites);
  });
}

/** Writes the list down; the content scripts that run leave or start with it. */
async function settle(sites: string[]): Promise<void> {
  const isRegistered = (await chrome.scripting.getRegisteredContentScripts({ ids: [SCRIPT.id] })).length > 0;
  const script = { ...SCRIPT, matches: sites.map(patternOf) };
  if (sites.length === 0) {
    if (isRegistered) {
      await chrome.scripting.unregisterContentScripts({ ids: [SCRIPT.id] });
    }
  } else if (isRegistered) {
    await chrome.scripting.updateContentScripts([script]);
  } else {
    await chrome.scripting.registerContentScripts([{ ...script, runAt: 'document_idle' }]);
  }
  await writeState({ sites });
}

async function putInto({ id: tabId }: chrome.tabs.Tab): Promise<void> {
  try {
    if (tabId !== undefined) {
      await chrome.scripting.executeScript({ target: { tabId }, files: SCRIPT.js });
    }
  } catch {
    // A page that shows an error, or sleeps: it gets Circuy when it is loaded again.
  }
}
