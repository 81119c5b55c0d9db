import type { Guide, TourEventType } from '../api/wire';
import type { GuideRun } from '../tour/guide_run';
import { isGuideKept, keepGuide } from '../tour/kept_guide';
import type { RunOptions } from '../tour/running';
import { HOSTS } from '../dom/own_ui';

declare const TOUR_CHUNK: string;

export interface PlayerOptions extends Pick<RunOptions, 'locale' | 'messages' | 'theme'> {
  onShown: (index: number) => void;
  onEnded: () => void;
}

/** Plays a guide as the widget does, and reports nothing to the server. */
export class Player {
  private run: GuideRun | null = null;
  private readonly room = new CSSStyleSheet();

  constructor(private readonly options: PlayerOptions) {}

  /** Plays `guide` from step `index`. Throws when it cannot be loaded. */
  async play(guide: Guide, index: number): Promise<void> {
    const tour = await this.load();
    this.stop();
    if (index > 0) {
      // As a guide goes on that the page before left at this step.
      keepGuide({ guide, index, home: location.pathname });
      this.follow(tour.resumeGuide(() => this.runOptions())?.run ?? tour.runGuide(guide, this.runOptions()));
    } else {
      this.follow(tour.runGuide(guide, this.runOptions()));
    }
  }

  /** Goes on with the guide that the page before left; false when there is none, or none of its steps is here. */
  async resume(): Promise<'resumed' | 'elsewhere' | 'none'> {
    if (!isGuideKept()) {
      return 'none';
    }
    const resumed = (await this.load()).resumeGuide(() => this.runOptions());
    if (resumed === null) {
      return 'elsewhere';
    }
    this.follow(resumed.run);
    return 'resumed';
  }

  stop(): void {
    const { run } = this;
    this.run = null;
    run?.cancel();
  }

  /** Cards keep clear of `pixels` along an edge of the window. */
  leaveRoom(edge: 'top' | 'bottom', pixels: number): void {
    this.room.replaceSync(`.cards{${edge}:${Math.round(pixels)}px}`);
  }

  private follow(run: GuideRun): void {
    this.run = run;
    document.querySelector(HOSTS.tour)?.shadowRoot?.adoptedStyleSheets.push(this.room);
    void run.ended.then(() => {
      if (this.run === run) {
        this.run = null;
        this.options.onEnded();
      }
    });
  }

  private runOptions(): RunOptions {
    const { locale, messages, theme, onShown } = this.options;
    return {
      locale,
      messages,
      theme,
      report: (type: TourEventType, { step }) => {
        if (type === 'step_shown' && step !== undefined) {
          onShown(step);
        }
      },
    };
  }

  private async load(): Promise<typeof import('../entry/tour')> {
    return (await import(new URL(TOUR_CHUNK, import.meta.url).href)) as typeof import('../entry/tour');
  }
}
