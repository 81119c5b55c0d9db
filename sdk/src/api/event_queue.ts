import type { TourEvent, TourEventType } from './wire';

const FLUSH_AFTER_MS = 1_500;
const BATCH = 50;
const KEPT_AT_MOST = 200;
const DETAIL_LIMIT = 300;

/**
 * Collects what happens in guides and hands it over in batches: a moment after the first, and when the page is
 * hidden or left. A batch that did not go through is tried again with the next one; the server knows events by id.
 * What `takes` refuses is neither collected nor, when it waits already, sent.
 */
export class EventQueue {
  private waiting: TourEvent[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly send: (events: TourEvent[]) => Promise<void>,
    private readonly takes: (type: TourEventType) => boolean,
  ) {
    document.addEventListener('visibilitychange', this.onHidden);
    window.addEventListener('pagehide', this.flush);
  }

  add(tourId: string, type: TourEventType, more: { step?: number; detail?: string } = {}): void {
    if (!this.takes(type)) {
      return;
    }
    this.waiting.push({
      id: randomId(),
      tour_id: tourId,
      type,
      at: new Date().toISOString(),
      ...(more.step === undefined ? {} : { step: more.step }),
      ...(more.detail === undefined ? {} : { detail: more.detail.slice(0, DETAIL_LIMIT) }),
    });
    this.timer ??= setTimeout(this.flush, FLUSH_AFTER_MS);
  }

  /** Sends what is left and stops listening to the page. */
  close(): void {
    document.removeEventListener('visibilitychange', this.onHidden);
    window.removeEventListener('pagehide', this.flush);
    this.flush();
  }

  private readonly onHidden = (): void => {
    if (document.visibilityState === 'hidden') {
      this.flush();
    }
  };

  private readonly flush = (): void => {
    if (this.timer !== null) {
      clearTimeout(this.timer);
      this.timer = null;
    }
    this.waiting = this.waiting.filter(({ type }) => this.takes(type));
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH);
      this.send(batch).catch(() => {
        this.waiting = [...batch, ...this.waiting].slice(-KEPT_AT_MOST);
      });
    }
  };
}

/** A UUID, also on pages served over plain HTTP, where `crypto.randomUUID` does not exist. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
