import type { EventQueue } from '../api/event_queue';
import type { Guide, Locale } from '../api/wire';
import type { Emitter } from '../core/emitter';
import type { EndedRun } from '../entry/tour';
import type { GuideRun } from '../tour/guide_run';
import type { Speaker } from './cards';
import type { WidgetEvents } from './events';

declare const TOUR_CHUNK: string;

/** Plays guides, one at a time, and reports what happens in them. Shepherd is loaded with the first one. */
export class GuidePlayer {
  private current: GuideRun | null = null;

  constructor(
    private readonly queue: EventQueue,
    private readonly emitter: Emitter<WidgetEvents>,
    private readonly locale: Locale,
    private readonly say: Speaker,
  ) {}

  /** Plays `guide`; resolves when it has ended. A guide already running is ended first. Throws when loading fails. */
  async play(guide: Guide): Promise<EndedRun> {
    const { runGuide } = (await import(new URL(TOUR_CHUNK, import.meta.url).href)) as typeof import('../entry/tour');
    this.stop();
    const run = runGuide(guide, {
      locale: this.locale,
      say: this.say,
      report: (type, more) => {
        if (guide.tour_id !== null) {
          this.queue.add(guide.tour_id, type, more);
        }
        this.emitter.emit('tour', { type, tourId: guide.tour_id, ...more });
      },
    });
    this.current = run;
    const ended = await run.ended;
    if (this.current === run) {
      this.current = null;
    }
    return ended;
  }

  stop(): void {
    this.current?.cancel();
    this.current = null;
  }
}
