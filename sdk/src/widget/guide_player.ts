import type { EventQueue } from '../api/event_queue';
import type { Guide } from '../api/wire';
import type { Emitter } from '../core/emitter';
import type { EndedRun, RunOptions } from '../entry/tour';
import type { GuideRun } from '../tour/guide_run';
import { isGuideKept } from '../tour/kept_guide';
import theme from '../ui/theme.css';
import type { WidgetEvents } from './events';

declare const TOUR_CHUNK: string;

/** Plays guides, one at a time, and reports what happens in them. Shepherd is loaded with the first one. */
export class GuidePlayer {
  private current: GuideRun | null = null;

  constructor(
    private readonly queue: EventQueue,
    private readonly emitter: Emitter<WidgetEvents>,
    private readonly locale: string,
    /** Sentences for `locale`, by name, before ours. */
    private readonly messages: Readonly<Record<string, string>> = {},
  ) {}

  /** Plays `guide`; resolves when it has ended. A guide already running is ended first. Throws when loading fails. */
  async play(guide: Guide): Promise<EndedRun> {
    const { runGuide } = await this.load();
    this.stop();
    return this.follow(runGuide(guide, this.optionsFor(guide)));
  }

  /**
   * Goes on with the guide that was running when this tab left the page before, where it has a step on this one: null when
   * there is none. `ended` resolves when it has ended. Throws when loading fails.
   */
  async resume(): Promise<{ guide: Guide; ended: Promise<EndedRun> } | null> {
    if (!isGuideKept()) {
      return null;
    }
    const { resumeGuide } = await this.load();
    if (this.current !== null) {
      return null;
    }
    const resumed = resumeGuide((guide) => this.optionsFor(guide));
    return resumed === null ? null : { guide: resumed.guide, ended: this.follow(resumed.run) };
  }

  stop(): void {
    this.current?.cancel();
    this.current = null;
  }

  private async load(): Promise<typeof import('../entry/tour')> {
    return (await import(new URL(TOUR_CHUNK, import.meta.url).href)) as typeof import('../entry/tour');
  }

  private optionsFor(guide: Guide): RunOptions {
    return {
      locale: this.locale,
      messages: this.messages,
      theme,
      report: (type, more) => {
        if (guide.tour_id !== null) {
          this.queue.add(guide.tour_id, type, more);
        }
        this.emitter.emit('tour', { type, tourId: guide.tour_id, ...more });
      },
    };
  }

  private async follow(run: GuideRun): Promise<EndedRun> {
    this.current = run;
    const ended = await run.ended;
    if (this.current === run) {
      this.current = null;
    }
    return ended;
  }
}
