/**
 * The script that a host page includes. It defines `window.Circuy` and stays out of the way: the rest arrives when the
 * page is idle, or at the first call. Nothing else of Circuy runs on import.
 */
import type { Answer, Guide } from '../api/wire';
import { chooseLocale } from '../core/locale';
import { hasToken, takeCode } from '../recorder/entrance';
import type { WidgetEvents } from '../widget/events';
import type { Settings } from '../widget/settings';
import type { Widget } from '../widget/widget';

declare const WIDGET_CHUNK: string;
declare const RECORDER_CHUNK: string;

/** What a host application may say to `Circuy.init`; the script tag's attributes stand for what is left out. */
export interface InitOptions {
  key?: string;
  locale?: string;
  user?: { id: string; hash: string } | null;
}

type Listener<Name extends keyof WidgetEvents> = (payload: WidgetEvents[Name]) => void;

/** `window.Circuy`. Calls made before the widget has arrived wait for it. */
export interface CircuyApi {
  init(options?: InitOptions): void;
  ask(question: string): Promise<Answer>;
  handleUserQuestion(question: string): Promise<Answer>;
  open(): Promise<void>;
  close(): Promise<void>;
  startTour(tour: string | Guide): Promise<'completed' | 'cancelled'>;
  on<Name extends keyof WidgetEvents>(event: Name, listener: Listener<Name>): () => void;
  shutdown(): void;
}

declare global {
  interface Window {
    Circuy?: CircuyApi;
  }
}

const script = (document.currentScript ??
  document.querySelector('script[data-key][src*="circuy.js"]')) as HTMLScriptElement | null;

class Loader implements CircuyApi {
  private settings: Settings | null = null;
  private widget: Promise<Widget> | null = null;
  private readonly listeners = new Set<{ event: keyof WidgetEvents; listener: Listener<never>; stop: () => void }>();

  constructor(private readonly source: URL) {}

  init = (options: InitOptions = {}): void => {
    this.shutdown();
    const data = script?.dataset ?? {};
    const key = options.key ?? data.key ?? '';
    if (key === '') {
      console.error('Circuy: a publishable key is needed (data-key, or init({ key })).');
      return;
    }
    const { userId: id = '', userHash: hash = '' } = data;
    this.settings = {
      base: this.source.origin,
      key,
      locale: chooseLocale(options.locale, data.locale, document.documentElement.lang, navigator.language),
      user: options.user === undefined ? (id !== '' && hash !== '' ? { id, hash } : null) : options.user,
    };
    const { settings } = this;
    const code = takeCode();
    whenIdle(() => {
      if (this.settings !== settings) {
        return;
      }
      if (code !== null || hasToken()) {
        this.record(settings, code).catch(report);
      } else {
        this.load().catch(report);
      }
    });
  };

  ask = async (question: string): Promise<Answer> => (await this.load()).ask(question);

  /** The spec's name for `ask`. */
  handleUserQuestion = (question: string): Promise<Answer> => this.ask(question);

  open = async (): Promise<void> => {
    (await this.load()).open();
  };

  close = async (): Promise<void> => {
    (await this.load()).close();
  };

  startTour = async (tour: string | Guide): Promise<'completed' | 'cancelled'> => (await this.load()).startTour(tour);

  on = <Name extends keyof WidgetEvents>(event: Name, listener: Listener<Name>): (() => void) => {
    const entry = { event, listener: listener as Listener<never>, stop: (): void => undefined };
    this.listeners.add(entry);
    void this.widget?.then((widget) => {
      this.attach(widget, entry);
    });
    return () => {
      entry.stop();
      this.listeners.delete(entry);
    };
  };

  shutdown = (): void => {
    void this.widget?.then((widget) => {
      widget.destroy();
    });
    this.widget = null;
    this.settings = null;
  };

  private load(): Promise<Widget> {
    const { settings } = this;
    if (settings === null) {
      return Promise.reject(new Error('Circuy: call init first.'));
    }
    this.widget ??= this.chunk<typeof import('./widget')>(WIDGET_CHUNK).then(({ startWidget }) =>
      startWidget(settings, (widget) => {
        for (const entry of this.listeners) {
          this.attach(widget, entry);
        }
      }),
    );
    return this.widget;
  }

  private attach(
    widget: Widget,
    entry: { event: keyof WidgetEvents; listener: Listener<never>; stop: () => void },
  ): void {
    if (this.listeners.has(entry)) {
      entry.stop = widget.events.on(entry.event, entry.listener as Listener<keyof WidgetEvents>);
    }
  }

  private async record(settings: Settings, code: string | null): Promise<void> {
    const { startRecorder } = await this.chunk<typeof import('./recorder')>(RECORDER_CHUNK);
    startRecorder(settings, code, () => {
      this.load().catch(report);
    });
  }

  private chunk<Module>(name: string): Promise<Module> {
    return import(new URL(name, this.source).href) as Promise<Module>;
  }
}

function whenIdle(run: () => void): void {
  const idle = () => {
    if ('requestIdleCallback' in window) {
      requestIdleCallback(run, { timeout: 2_000 });
    } else {
      setTimeout(run, 1);
    }
  };
  if (document.readyState === 'complete') {
    idle();
  } else {
    window.addEventListener('load', idle, { once: true });
  }
}

function report(error: unknown): void {
  console.error('Circuy could not start.', error);
}

if (script !== null && window.Circuy === undefined) {
  const loader = new Loader(new URL(script.src));
  window.Circuy = loader;
  if (script.dataset.key !== undefined) {
    loader.init();
  }
}
