/** Whether the server is there and takes the key: asked by the options page, and by a page where Circuy is enabled. */
import { ApiError } from '../../sdk/src/api/errors';
import { call } from '../../sdk/src/api/http';
import type { Access } from './state';

export type Reach = 'fine' | 'key_unknown' | 'origin_refused' | 'busy' | 'not_circuy' | 'unreachable';

const WITHIN_MS = 8_000;

/** What browsers make of a host that there can be: they take others, such as two words, for one too. */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)$/;

/** Asks the server for the widget's look. Never throws. */
export async function checkServer({ server, key }: Access): Promise<Reach> {
  try {
    const response = await call({ base: server, token: key, locale: '' }, '/v1/widget', { timeoutMs: WITHIN_MS });
    const look: unknown = await response.json();
    return typeof look === 'object' && look !== null && 'accent' in look ? 'fine' : 'not_circuy';
  } catch (error) {
    return error instanceof ApiError ? reachOf(error) : 'not_circuy';
  }
}

/** Whether anything answers at the server's address. Reads nothing of the answer, so it takes no permission. */
export async function answers(server: string): Promise<boolean> {
  try {
    await fetch(new URL('/v1/widget', server), {
      mode: 'no-cors',
      credentials: 'omit',
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    return true;
  } catch {
    return false;
  }
}

/** The origin of a server as people write it, `circuy.example` or a page of it; null when it is no address. */
export function serverOf(written: string): string | null {
  const text = written.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) {
    return null;
  }
  const { origin, protocol, hostname } = new URL(address);
  return /^https?:$/.test(protocol) && HOST.test(hostname) ? origin : null;
}

/** Whether browsers keep pages of `origin` from calling `server`: an https page may call no http server but its own machine's. */
export function isMixed(origin: string, server: string): boolean {
  const { protocol, hostname } = new URL(server);
  const isHere = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  return origin.startsWith('https:') && protocol === 'http:' && !isHere;
}

function reachOf({ kind, code }: ApiError): Reach {
  switch (kind) {
    case 'offline':
    case 'timeout':
      return 'unreachable';
    case 'throttled':
    case 'server':
      return 'busy';
    case 'refused':
      if (code === 'origin_not_allowed') {
        return 'origin_refused';
      }
      return code === 'key_unknown' || code === 'authentication_required' ? 'key_unknown' : 'not_circuy';
  }
}
