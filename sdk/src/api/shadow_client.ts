import type { Batch, BatchReply, ChatReply, ChatRequest, Understanding } from '../shadow/wire';
import { call, type CallOptions, type Credentials } from './http';
import type { RecorderSession } from './wire';

const CHAT_WITHIN_MS = 30_000;

/** The server, as a demonstration sees it. Every method throws ApiError when the call does not succeed. */
export class ShadowClient {
  /** `credentials` is asked at each call: the token is renewed while a recording goes on. */
  constructor(private readonly credentials: () => Credentials) {}

  /** Hands events over; goes through even while the page is being left. */
  async send(batch: Batch): Promise<BatchReply> {
    return this.read('/api/v1/traces/stream/event', { method: 'POST', body: batch, keepalive: true });
  }

  /** Says something to Léa. */
  async say(request: ChatRequest, signal: AbortSignal): Promise<ChatReply> {
    return this.read('/v1/chat', { method: 'POST', body: request, signal, timeoutMs: CHAT_WITHIN_MS });
  }

  /** What is understood of a session so far; notifications are those after `since` (seconds since 1970). */
  async understanding(sessionId: string, since: number, signal: AbortSignal): Promise<Understanding> {
    const path = `/api/v1/shadow/${encodeURIComponent(sessionId)}/understanding?since_ts=${since}`;
    return this.read(path, { signal });
  }

  /** A token that lasts longer than the present one. */
  async renew(): Promise<Pick<RecorderSession, 'token' | 'expires_in'>> {
    return this.read('/v1/recorder/renew', { method: 'POST', body: {} });
  }

  private async read<Reply>(path: string, options: CallOptions): Promise<Reply> {
    return (await (await call(this.credentials(), path, options)).json()) as Reply;
  }
}
