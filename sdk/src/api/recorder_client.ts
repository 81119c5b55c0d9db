import { ApiError } from './errors';
import { call, pause, type Caller, type Credentials } from './http';
import type { RecorderSession, ScanRequest, ScanStatus } from './wire';

const POLL_EVERY_MS = 1_000;
const LEARN_WITHIN_MS = 120_000;

/** Exchanges a one-time `code` for a recorder session. ApiError `code_used_or_expired` when it is no longer good. */
export async function openRecorderSession({ base, key, locale }: Caller, code: string): Promise<RecorderSession> {
  const options = { method: 'POST', body: { code } } as const;
  const response = await call({ base, token: key, locale }, '/v1/recorder/sessions', options);
  return (await response.json()) as RecorderSession;
}

/** The server, as a product admin's recorder sees it. */
export class RecorderClient {
  private readonly credentials: Credentials;

  constructor({ base, locale }: Caller, token: string) {
    this.credentials = { base, token, locale };
  }

  /** Hands a scan over; gives its id. */
  async submit(scan: ScanRequest): Promise<string> {
    const response = await call(this.credentials, '/v1/scans', {
      method: 'POST',
      body: scan,
      timeoutMs: 30_000,
    });
    return ((await response.json()) as { scan_id: string }).scan_id;
  }

  /** Waits until the scan is learnt or has failed, two minutes at most (then ApiError of kind `timeout`). */
  async waitUntilLearned(scanId: string, signal: AbortSignal): Promise<ScanStatus> {
    const until = Date.now() + LEARN_WITHIN_MS;
    while (Date.now() < until) {
      const path = `/v1/scans/${encodeURIComponent(scanId)}`;
      const response = await call(this.credentials, path, { signal });
      const scan = (await response.json()) as ScanStatus;
      if (scan.status !== 'received') {
        return scan;
      }
      await pause(POLL_EVERY_MS, signal);
      signal.throwIfAborted();
    }
    throw new ApiError('timeout', 'not_learned_in_time', '');
  }
}
