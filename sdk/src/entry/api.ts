/** `Circuy`, as host applications see it. Types only: nothing of this file runs. */
import type { Answer, Guide, GuideSummary, IdentifiedUser, PageScanPayload } from '../api/wire';
import type { WidgetEvents } from '../widget/events';
import type { Dictionary } from '../widget/settings';

export type { Answer, Guide, GuideSummary, IdentifiedUser, PageScanPayload, Step, StepButton } from '../api/wire';
export type { WidgetEvents } from '../widget/events';
export type { Dictionary } from '../widget/settings';

/** What a host application may say to `Circuy.init`; the script tag's attributes stand for what is left out. */
export interface InitOptions {
  /** The publishable key, `pk_…`. */
  key?: string;
  /** Where the Circuy server is: needed with the npm package, else the origin that the script came from. */
  server?: string;
  /** A language tag. Else the page's `lang`, else the browser's language; French when none of these is spoken. */
  locale?: string;
  /** The signed-in user: `hash` is HMAC-SHA256 of `id` under the organization's identity secret. */
  user?: IdentifiedUser | null;
  /** Sentences of other languages, or other words for the French and English ones, by language tag. */
  messages?: Readonly<Record<string, Dictionary>>;
  /** Paths without the widget: `*` is one part, `**` at the end all that follow. */
  hideOn?: readonly string[];
  /** What the person said to your consent dialog; see `consent`. */
  consent?: boolean;
}

export type Listener<Name extends keyof WidgetEvents> = (payload: WidgetEvents[Name]) => void;

/**
 * No call throws, and no promise is rejected: what went wrong is told in the panel to the person, in the console to the
 * developer, and by the event `failed`.
 */
export interface CircuyApi {
  /** The version of the SDK. */
  readonly version: string;
  /** Starts Circuy on this page, or again with other options: after a sign-in, in another language. */
  init(options?: InitOptions): void;
  /** Asks, in the panel. Gives the answer once its guide has started; null when there is none to be had. */
  ask(question: string): Promise<Answer | null>;
  /** `ask` under the specification's name, which gives nothing back. */
  handleUserQuestion(question: string): Promise<void>;
  /** Opens the panel, also on pages that go without the widget. */
  open(): Promise<void>;
  close(): Promise<void>;
  /** Plays a guide; gives how it ended. */
  startTour(tour: string | Guide): Promise<'completed' | 'cancelled' | 'failed'>;
  /** The published guides of this page, or of the page at `route`. Empty when they cannot be had. */
  guides(route?: string): Promise<GuideSummary[]>;
  /** What a scan of this page would send. Null unless a product admin is recording in this tab. */
  scan(): Promise<PageScanPayload | null>;
  /** Opens the recorder with a one-time code of the administration. */
  record(code: string): Promise<void>;
  /** Calls `listener` at each `event`; the returned function ends it, as `off` does. */
  on<Name extends keyof WidgetEvents>(event: Name, listener: Listener<Name>): () => void;
  off<Name extends keyof WidgetEvents>(event: Name, listener: Listener<Name>): void;
  /**
   * What the person allows. `false`: tours are not reported, nobody is named or known again, nothing is stored, and
   * nothing is asked but what the person types. `true`: all of it, within what the browser asks for.
   */
  consent(given: boolean): void;
  /** Takes all of Circuy off the page, listeners included. `init` starts it again. */
  shutdown(): void;
}

declare global {
  interface Window {
    Circuy?: CircuyApi;
  }
}
