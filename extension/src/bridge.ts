/** What the popup asks of the page in front of it. */
import type { Reach } from './server_check';

export type Request = { circuy: 'presence' } | { circuy: 'open' } | { circuy: 'record'; code: string };

/** `own`: the page brings Circuy itself. `idle`: Circuy has no settings, or was taken off this site. */
export type Presence = 'running' | 'own' | 'idle';

export interface Reply {
  presence: Presence;
  /** How the server takes calls from this page; null when Circuy does not run there. */
  reach: Reach | null;
}

/** Asks the page in a tab; null when no content script of ours is there. */
export async function askPage(tabId: number, request: Request): Promise<Reply | null> {
  try {
    return await chrome.tabs.sendMessage<Request, Reply>(tabId, request, { frameId: 0 });
  } catch {
    return null;
  }
}

/** Answers the extension's own pages, and nobody else. */
export function answerPopup(answer: (request: Request) => Promise<Reply>): void {
  chrome.runtime.onMessage.addListener((message: Request, sender, reply: (reply: Reply) => void) => {
    const isOurs = sender.id === chrome.runtime.id && sender.origin === `chrome-extension://${chrome.runtime.id}`;
    if (!isOurs) {
      return false;
    }
    void answer(message).then(reply);
    return true;
  });
}
