/** How a product admin comes in: a one-time code in the address, exchanged for a token that this tab alone keeps. */
import type { RecorderSession } from '../api/wire';

const STORED = 'circuy.recorder';
const SHOWING = 'circuy.lea.on';

/** A recorder session and the moment it ends (milliseconds since 1970). */
export interface StoredSession extends RecorderSession {
  until: number;
}

export function hasToken(): boolean {
  return readSession() !== null;
}

/** The session of this tab, if it has one that still runs. */
export function readSession(): StoredSession | null {
  try {
    const session = JSON.parse(sessionStorage.getItem(STORED) ?? 'null') as StoredSession | null;
    return session !== null && session.until > Date.now() ? session : null;
  } catch {
    return null;
  }
}

export function storeSession(session: RecorderSession): StoredSession {
  const stored = { ...session, until: Date.now() + session.expires_in * 1_000 };
  try {
    sessionStorage.setItem(STORED, JSON.stringify(stored));
  } catch {
    // Without storage the session lasts as long as the page.
  }
  return stored;
}

/** Whether a task is being shown in this tab, or Léa spoken to about one. */
export function isShowing(): boolean {
  try {
    return hasToken() && sessionStorage.getItem(SHOWING) !== null;
  } catch {
    return false;
  }
}

export function noteShowing(isOn: boolean): void {
  try {
    if (isOn) {
      sessionStorage.setItem(SHOWING, '1');
    } else {
      sessionStorage.removeItem(SHOWING);
    }
  } catch {
    // Without storage it lasts as long as the page.
  }
}

export function forgetToken(): void {
  noteShowing(false);
  try {
    sessionStorage.removeItem(STORED);
  } catch {
    // Nothing was stored.
  }
}
