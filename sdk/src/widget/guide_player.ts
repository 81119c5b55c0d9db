import type { EventQueue } from '../api/event_queue';
import type { Answer, Guide } from '../api/wire';
import type { Emitter } from '../core/emitter';
import type { EndedRun, RunOptions } from '../entry/tour';
import type { GuideRun } from '../tour/guide_run';
import { isGuideKept } from '../tour/kept_guide';
import theme from '../ui/theme.css';
import type { WidgetEvents } from './events';

declare const TOUR_CHUNK: string;

type TourChunk = typeof import('../entry/tour');

/** Plays guides, one at a time, and reports what happens in them. Shepherd is loaded with the first one. */
export class GuidePlayer {
  private current: GuideRun | null = null;
  private chunk: Promise<TourChunk> | null = null;
  /** Reports what happened before the server had said which guide it was. */
  private flush: () => void = () => undefined;

  constructor(
    private readonly queue: EventQueue,
    private readonly emitter: Emitter<WidgetEvents>,
    private readonly locale: string,
    /** Sentences for `locale`, by name, before ours. */
    private readonly messages: Readonly<Record<string, string>> = {},
  ) {}

  /**
   * Plays `guide`; resolves when it has ended. A guide already running is ended first. Throws when loading fails.
   * While `isWhole` says no, steps may still be added to it: `grew` is then called.
   */
  async play(guide: Guide, isWhole: () => boolean = () => true): Promise<EndedRun> {
    const { runGuide } = await this.load();
    this.stop();
    return this.follow(runGuide(guide, this.optionsFor(guide, isWhole)));
  }

  /** The guide being played has more steps, or all of them. */
  grew(): void {
    this.flush();
    this.current?.grew();
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

  /** Once for all who wait for it, so that they go on in the order in which they came. */
  private load(): Promise<TourChunk> {
    const loaded = (this.chunk ??= import(new URL(TOUR_CHUNK, import.meta.url).href) as Promise<TourChunk>);
    loaded.catch(() => {
      // The next guide tries again.
      this.chunk = null;
    });
    return loaded;
  }

  private optionsFor(guide: Guide, isWhole: () => boolean = () => true): RunOptions {
    const heard: Parameters<RunOptions['report']>[] = [];
    this.flush = () => {
      for (const [type, more] of isWhole() ? heard.splice(0) : []) {
        if (guide.tour_id !== null) {
          this.queue.add(guide.tour_id, type, more);
        }
        this.emitter.emit('tour', { type, tourId: guide.tour_id, ...more });
      }
    };
    const { flush } = this;
    const { locale = this.locale, message } = guide as Guide & Partial<Answer>;
    return {
      // A guide in another language than the widget's is in one language as a whole.
      locale,
      // An answer on another page says which: by the page's name, and not by its address.
      messages: {
        ...(locale === this.locale ? this.messages : {}),
        ...(typeof message === 'string' ? { otherPage: message } : {}),
      },
      theme,
      isWhole,
      report: (type, more) => {
        heard.push([type, more]);
        flush();
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
