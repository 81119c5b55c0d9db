/**
 * Hands events over: in batches, in their order, and until they have arrived. What waits is kept in the tab's storage, so
 * that the next page sends what this one could not; the server knows an event by its session and sequence number.
 */
import { ApiError } from '../api/errors';
import type { ShadowClient } from '../api/shadow_client';
import { serialize } from '../core/json';
import { keepUnsent, readUnsent, type Tab } from './tab';
import type { Batch, BatchReply, ObservedEvent } from './wire';

const SEND_AFTER_MS = 600;
const MOST_EVENTS = 200;
/** Browsers let 64 KiB be under way while a page is left. */
const MOST_BYTES = 60_000;
const MOST_KEPT = 2_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

export interface OutboxNews {
  /** `askedAt`: when the batch was sent. */
  arrived: (reply: BatchReply, askedAt: number) => void;
  /** The token is no longer good. */
  ended: () => void;
  /** Whether what is done reaches the server now. */
  reached: (isReached: boolean) => void;
}

const encoder = new TextEncoder();

export class Outbox {
  private waiting: ObservedEvent[];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private sending: Promise<void> | null = null;
  private failures = 0;
  private readonly life = new AbortController();

  constructor(
    private readonly tab: Tab,
    private readonly client: ShadowClient,
    private readonly news: OutboxNews,
  ) {
    this.waiting = readUnsent(tab.state.session);
    window.addEventListener('online', this.soon, { signal: this.life.signal });
    if (this.waiting.length > 0) {
      this.soon();
    }
  }

  add(event: ObservedEvent): void {
    this.waiting.push(event);
    this.waiting = this.waiting.slice(-MOST_KEPT);
    this.keep();
    if (this.failures === 0) {
      this.timer ??= setTimeout(this.soon, SEND_AFTER_MS);
    }
  }

  /** Rewrites an event that has not left yet. */
  amend(sequence: number, change: Partial<ObservedEvent>): void {
    const event = this.waiting.find((one) => one.sequence === sequence);
    if (event !== undefined) {
      Object.assign(event, change);
      this.keep();
    }
  }

  /** Sends all that waits; done when it has arrived or could not be sent now. Never throws. */
  async flush(): Promise<void> {
    await this.sending;
    this.stopTimer();
    this.sending ??= this.sendAll().finally(() => {
      this.sending = null;
    });
    await this.sending;
  }

  /** The page is being left, or may be: one batch still goes through, the rest is for the next page. */
  leave(): void {
    const batch = this.nextBatch();
    if (batch.length > 0 && this.sending === null) {
      void this.flush();
    } else if (batch.length > 0) {
      // What is under way will not tell this page any more whether it arrived.
      void this.client.send(this.wrap(batch)).catch(() => undefined);
    }
  }

  close(): void {
    this.life.abort();
    this.stopTimer();
  }

  private readonly soon = (): void => {
    void this.flush();
  };

  private async sendAll(): Promise<void> {
    for (let batch = this.nextBatch(); batch.length > 0 && !this.life.signal.aborted; batch = this.nextBatch()) {
      try {
        const askedAt = Date.now();
        const reply = await this.client.send(this.wrap(batch));
        this.drop(batch);
        this.failures = 0;
        this.news.reached(true);
        this.news.arrived(reply, askedAt);
      } catch (error) {
        if (this.failed(error, batch)) {
          return;
        }
      }
    }
  }

  /** Whether to wait before anything else is sent. */
  private failed(error: unknown, batch: readonly ObservedEvent[]): boolean {
    if (error instanceof ApiError && error.kind === 'refused') {
      if (error.code === 'recorder_token_invalid' || error.code === 'authentication_required') {
        this.news.ended();
        return true;
      }
      // It would be refused again: what comes after it must not wait for ever.
      console.error(`Circuy: ${batch.length} events of the demonstration were refused. ${error.message}`);
      this.drop(batch);
      return false;
    }
    this.failures += 1;
    this.news.reached(false);
    const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0;
    const wait = Math.min(FIRST_RETRY_MS * 2 ** (this.failures - 1), LONGEST_RETRY_MS);
    if (!this.life.signal.aborted) {
      this.timer ??= setTimeout(this.soon, Math.max(asked, wait));
    }
    return true;
  }

  private nextBatch(): ObservedEvent[] {
    const batch: ObservedEvent[] = [];
    let bytes = 300;
    for (const event of this.waiting.slice(0, MOST_EVENTS)) {
      bytes += encoder.encode(serialize(event)).length + 1;
      if (bytes > MOST_BYTES && batch.length > 0) {
        break;
      }
      batch.push(event);
    }
    return batch;
  }

  private wrap(events: readonly ObservedEvent[]): Batch {
    const { machine, state } = this.tab;
    return { session_id: state.session, machine_id: machine, machine_name: location.host, events };
  }

  private drop(batch: readonly ObservedEvent[]): void {
    const sent = new Set(batch);
    this.waiting = this.waiting.filter((event) => !sent.has(event));
    this.keep();
  }

  private keep(): void {
    keepUnsent(this.tab.state.session, this.waiting);
  }

  private stopTimer(): void {
    if (this.timer !== null) {
      clearTimeout(this.timer);
      this.timer = null;
    }
  }
}
