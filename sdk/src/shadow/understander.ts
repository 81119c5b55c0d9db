/** Asks now and then what the server understands of what is being shown. */
import type { ShadowClient } from '../api/shadow_client';
import type { Tab } from './tab';

/** While something has just been done, while nothing is, and while nobody is watched but Léa is open. */
const BUSY_MS = 2_500;
const QUIET_MS = 8_000;
const IDLE_MS = 12_000;

export interface UnderstanderNews {
  /** The step that was understood last, in words. */
  step: (intent: string) => void;
  recording: (isOn: boolean, askedAt: number) => void;
}

export class Understander {
  private readonly life = new AbortController();
  private isBusy = true;
  private isAsking = false;
  /** Nothing is known of a session before its first event. */
  private asked = Date.now();
  private since = 0;
  private told = '';

  constructor(
    private readonly tab: Tab,
    private readonly client: ShadowClient,
    private readonly news: UnderstanderNews,
  ) {}

  /** Something was done: there is something to be understood. */
  soon(): void {
    this.isBusy = true;
  }

  /** Asks if it is time to; called often. */
  tick(isOpen: boolean): void {
    const { status } = this.tab.state;
    if (this.isAsking || document.visibilityState === 'hidden' || (status === 'idle' && !isOpen)) {
      return;
    }
    const every = status === 'idle' ? IDLE_MS : this.isBusy ? BUSY_MS : QUIET_MS;
    if (Date.now() - this.asked >= every) {
      void this.ask();
    }
  }

  close(): void {
    this.life.abort();
  }

  private async ask(): Promise<void> {
    const askedAt = Date.now();
    const { session, status } = this.tab.state;
    this.isAsking = true;
    this.asked = askedAt;
    this.isBusy = false;
    try {
      const found = await this.client.understanding(session, this.since, this.life.signal);
      this.since = Math.max(this.since, ...(found.notifications ?? []).map(({ at = 0 }) => at));
      if (found.recording !== undefined) {
        this.news.recording(found.recording, askedAt);
      }
      const intent = (found.current_step ?? found.steps?.at(-1))?.intent ?? '';
      if (status === 'recording' && intent !== '' && intent !== this.told) {
        this.told = intent;
        this.news.step(intent);
      }
    } catch {
      // It is a help, not the point: the next time tells.
    } finally {
      this.isAsking = false;
    }
  }
}
