import { serialize } from '../core/json';
import { ApiError, errorFromResponse } from './errors';

/** Where the server is and who is calling. */
export interface Credentials {
  base: string;
  token: string;
  /** The language that refusals are explained in; "" for the browser's. */
  locale: string;
}

/** Where the server is, and what the page says of itself. */
export interface Caller {
  base: string;
  key: string;
  locale: string;
}

export interface CallOptions {
  method?: 'GET' | 'POST';
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  keepalive?: boolean;
  timeoutMs?: number;
}

/**
 * Calls the server. Gives the reply when it is a success.
 * Throws ApiError for any other reply, when there is no network, and when no reply came within `timeoutMs`.
 */
export async function call(credentials: Credentials, path: string, options: CallOptions = {}): Promise<Response> {
  const { method = 'GET', body, headers = {}, signal, keepalive = false, timeoutMs = 15_000 } = options;
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    deadline.abort();
  }, timeoutMs);
  const forward = () => {
    deadline.abort();
  };
  signal?.addEventListener('abort', forward);
  try {
    const response = await fetch(new URL(path, credentials.base), {
      method,
      headers: {
        Accept: 'application/json',
        Authorization: `Bearer ${credentials.token}`,
        ...(credentials.locale === '' ? {} : { 'Accept-Language': credentials.locale }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: serialize(body) }),
      credentials: 'omit',
      keepalive,
      signal: deadline.signal,
    });
    if (!response.ok) {
      throw await errorFromResponse(response);
    }
    return response;
  } catch (error) {
    if (error instanceof ApiError || signal?.aborted === true) {
      throw error;
    }
    throw deadline.signal.aborted
      ? new ApiError('timeout', 'no_reply_in_time', '')
      : new ApiError('offline', 'server_unreachable', '');
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', forward);
  }
}

/** Resolves after `ms`, or at once when `signal` is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
