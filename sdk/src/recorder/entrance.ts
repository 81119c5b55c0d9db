/** How a product admin comes in: a one-time code in the address, exchanged for a token that this tab alone keeps. */
import type { RecorderSession } from '../api/wire';

const STORED = 'circuy.recorder';

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

export function forgetToken(): void {
  try {
    sessionStorage.removeItem(STORED);
  } catch {
    // Nothing was stored.
  }
}
