import type { Answer, Guide, GuideSummary, PageScanPayload } from '../api/wire';
import { Emitter } from '../core/emitter';
import { takePreviewToken } from '../preview/entrance';
import { hasToken, isShowing } from '../recorder/entrance';
import type { WidgetEvents } from '../widget/events';
import { Privacy } from '../widget/privacy';
import type { Settings } from '../widget/settings';
import type { Widget } from '../widget/widget';
import type { CircuyApi, InitOptions, Listener } from './api';
import { takeFragment } from './fragment';
import { readOptions } from './options';

declare const SDK_VERSION: string;

const EVENTS = [
  'ready',
  'opened',
  'closed',
  'asked',
  'answered',
  'failed',
  'tour',
] as const satisfies readonly (keyof WidgetEvents)[];

/** How the parts that are not needed at first are fetched, and where the page keeps its options. */
export interface Origin {
  widget: () => Promise<typeof import('./widget')>;
  recorder: () => Promise<typeof import('./recorder')>;
  preview: () => Promise<typeof import('./preview')>;
  shadow: () => Promise<typeof import('./shadow')>;
  /** Origin of the server; "" when only `init` can tell. */
  server: string;
  data: () => DOMStringMap;
}

/** What members of the organization work with on a page, in the place of the widget. */
interface Tool {
  remove(): void;
}

/** Circuy between an `init` and the next, or the shutdown. */
interface Run {
  settings: Settings;
  ended: AbortController;
  widget: Promise<Widget | null> | null;
  tool: Tool | null;
}

/** `window.Circuy`, and what the npm package gives. Calls made before the widget has arrived wait for it. */
export class Circuy implements CircuyApi {
  readonly version = SDK_VERSION;
  private readonly events = new Emitter<WidgetEvents>();
  private readonly privacy = new Privacy();
  private run: Run | null = null;

  constructor(private readonly origin: Origin) {}

  init = (options: InitOptions = {}): void => {
    this.end();
    const { settings, complaint } = readOptions(options, {
      data: this.origin.data(),
      server: this.origin.server,
      languages: [document.documentElement.lang, navigator.language],
    });
    if (complaint !== '') {
      console.error(`Circuy.init: ${complaint}.`);
    }
    if (settings === null) {
      return;
    }
    if (typeof options.consent === 'boolean') {
      this.consent(options.consent);
    }
    const run: Run = { settings, ended: new AbortController(), widget: null, tool: null };
    this.run = run;
    const code = takeFragment('record');
    const token = takePreviewToken();
    if (code === null && isShowing()) {
      // At once: what is done on this page before Léa is there is not seen.
      void this.openShadow(run);
      return;
    }
    whenIdle(run.ended.signal, () => {
      if (token !== null && code === null) {
        void this.openTool(run, this.origin.preview, ({ startPreview }, onQuit) =>
          startPreview(run.settings, token, onQuit),
        );
      } else {
        void (code !== null || hasToken() ? this.openRecorder(run, code) : this.load(run));
      }
    });
  };

  ask = async (question: string): Promise<Answer | null> => {
    if (typeof question !== 'string' || question.trim() === '') {
      console.error('Circuy.ask: give the question, a text.');
      return null;
    }
    const widget = await this.widgetFor('ask');
    return widget === null ? null : widget.askFor(question);
  };

  handleUserQuestion = async (question: string): Promise<void> => {
    await this.ask(question);
  };

  open = async (): Promise<void> => {
    (await this.widgetFor('open'))?.open();
  };

  close = async (): Promise<void> => {
    (await this.run?.widget)?.close();
  };

  startTour = async (tour: string | Guide): Promise<'completed' | 'cancelled' | 'failed'> => {
    if (!isTour(tour)) {
      console.error('Circuy.startTour: give the id of a tour, or a tour with its steps.');
      return 'failed';
    }
    const widget = await this.widgetFor('startTour');
    return widget === null ? 'failed' : widget.startTour(tour);
  };

  guides = async (route?: string): Promise<GuideSummary[]> => {
    const widget = await this.widgetFor('guides');
    return widget === null ? [] : widget.guides(route ?? location.pathname);
  };

  scan = async (): Promise<PageScanPayload | null> => {
    const scanned = hasToken() ? await (await this.fetched(this.origin.recorder))?.scanThisPage() : null;
    if (scanned === null || scanned === undefined) {
      console.error(
        'Circuy.scan: only a product admin who is recording in this tab can scan; see Circuy.record(code).',
      );
      return null;
    }
    return scanned;
  };

  record = async (code: string): Promise<void> => {
    if (typeof code !== 'string' || code === '') {
      console.error('Circuy.record: give the one-time code of a recording link.');
    } else if (this.run === null) {
      sayInitFirst('record');
    } else {
      await this.openRecorder(this.run, code);
    }
  };

  on = <Name extends keyof WidgetEvents>(event: Name, listener: Listener<Name>): (() => void) => {
    if (!EVENTS.includes(event) || typeof listener !== 'function') {
      console.error(`Circuy.on: give one of ${EVENTS.join(', ')}, and a function.`);
      return () => undefined;
    }
    return this.events.on(event, listener);
  };

  off = <Name extends keyof WidgetEvents>(event: Name, listener: Listener<Name>): void => {
    this.events.off(event, listener);
  };

  consent = (given: boolean): void => {
    if (typeof given !== 'boolean') {
      console.error('Circuy.consent: give true or false.');
      return;
    }
    this.privacy.consent = given;
    void this.run?.widget?.then((widget) => {
      widget?.reflectConsent();
    });
  };

  shutdown = (): void => {
    this.end();
    this.events.clear();
  };

  private end(): void {
    const { run } = this;
    this.run = null;
    if (run !== null) {
      run.ended.abort();
      run.tool?.remove();
      void run.widget?.then((widget) => {
        widget?.destroy();
      });
    }
  }

  private widgetFor(call: string): Promise<Widget | null> {
    if (this.run === null) {
      sayInitFirst(call);
      return Promise.resolve(null);
    }
    return this.load(this.run);
  }

  /** The widget of `run`; null when it cannot be had, after having said so, or when the run ended meanwhile. */
  private load(run: Run): Promise<Widget | null> {
    run.widget ??= this.fetched(this.origin.widget).then(async (chunk) => {
      const widget = await chunk?.startWidget(run.settings, this.events, this.privacy, run.ended.signal);
      if (widget === undefined) {
        // The next call tries again.
        run.widget = null;
      }
      return widget ?? null;
    });
    return run.widget;
  }

  private openRecorder(run: Run, code: string | null): Promise<void> {
    return this.openTool(run, this.origin.recorder, ({ startRecorder }, onQuit) =>
      startRecorder(run.settings, code, onQuit, () => void this.openShadow(run)),
    );
  }

  private openShadow(run: Run): Promise<void> {
    return this.openTool(run, this.origin.shadow, ({ startShadow }, onQuit) =>
      startShadow(run.settings, { quit: onQuit, toPage: () => void this.openRecorder(run, null) }),
    );
  }

  /** Puts a tool in the place of the widget, which comes back when the tool is quit. */
  private async openTool<Module>(
    run: Run,
    part: () => Promise<Module>,
    start: (chunk: Module, onQuit: () => void) => Tool,
  ): Promise<void> {
    const chunk = await this.fetched(part);
    if (chunk === null || run.ended.signal.aborted) {
      return;
    }
    const { widget } = run;
    run.widget = null;
    (await widget)?.destroy();
    run.tool?.remove();
    run.tool = start(chunk, () => {
      run.tool = null;
      void this.load(run);
    });
  }

  /** A part of Circuy; null when it cannot be had, after having said so. */
  private async fetched<Module>(part: () => Promise<Module>): Promise<Module | null> {
    try {
      return await part();
    } catch (error) {
      console.error('Circuy: a part could not be loaded. Is its server in your script-src, and reachable?', error);
      return null;
    }
  }
}

function isTour(tour: unknown): tour is string | Guide {
  return typeof tour === 'string' ? tour !== '' : Array.isArray((tour as Partial<Guide> | null | undefined)?.steps);
}

function sayInitFirst(call: string): void {
  console.error(`Circuy.${call}: call Circuy.init({ key }) first.`);
}

function whenIdle(ended: AbortSignal, run: () => void): void {
  const go = () => {
    if (!ended.aborted) {
      run();
    }
  };
  const idle = () => {
    if ('requestIdleCallback' in window) {
      requestIdleCallback(go, { timeout: 2_000 });
    } else {
      setTimeout(go, 1);
    }
  };
  if (document.readyState === 'complete') {
    idle();
  } else {
    window.addEventListener('load', idle, { once: true, signal: ended });
  }
}
