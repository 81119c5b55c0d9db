import { EVENT_STREAM, readAnswer, type StreamedStep } from './answer_stream';
import { ApiError } from './errors';
import { call, pause, type CallOptions } from './http';
import { VisitorToken } from './visitor';
import type {
  Answer,
  AnswerPending,
  AskRequest,
  Guide,
  IdentifiedUser,
  Locale,
  Offer,
  TourEvent,
  WidgetSettings,
} from './wire';

const POLL_EVERY_MS = 400;
const POLL_FOR_MS = 30_000;
const LOOK_WITHIN_MS = 3_000;

export interface ClientOptions {
  base: string;
  key: string;
  /** The language to be answered in; null leaves it to the organization. */
  locale: Locale | null;
  user: IdentifiedUser | null;
}

/** The server, as an end user's page sees it. Every method throws ApiError when the call does not succeed. */
export class Client {
  private readonly visitor: VisitorToken;

  /** While `mayKnowAgain` says no, calls name nobody and nothing is stored. */
  constructor(
    private readonly options: ClientOptions,
    private readonly mayKnowAgain: () => boolean,
  ) {
    this.visitor = new VisitorToken(options.key, mayKnowAgain);
  }

  /** Gives up the token by which this visitor was known. */
  forgetVisitor(): void {
    this.visitor.forget();
  }

  /** How the widget looks and where it stands. Says nothing of who asks. */
  async look(signal: AbortSignal): Promise<WidgetSettings> {
    const response = await this.call('/v1/widget', { signal, timeoutMs: LOOK_WITHIN_MS });
    return (await response.json()) as WidgetSettings;
  }

  /**
   * Asks `question` about the page at `route`; waits for answers that take time, 30 seconds at most. `onStep` hears the
   * steps of an answer as they are made: what counts is the answer, which may have others.
   */
  async ask(
    question: string,
    page: { route: string; title: string },
    signal?: AbortSignal,
    onStep: (step: StreamedStep) => void = () => undefined,
  ): Promise<Answer> {
    const body: AskRequest = {
      question,
      route: page.route,
      page_title: page.title,
      ...(this.options.locale === null ? {} : { locale: this.options.locale }),
      ...this.caller(),
    };
    const headers = { Accept: `application/json, ${EVENT_STREAM}` };
    const response = await this.call('/v1/ai/ask', { method: 'POST', body, headers, signal, timeoutMs: POLL_FOR_MS });
    const reply = (await response.json()) as Answer | AnswerPending;
    this.visitor.keep(reply.visitor);
    if (response.status !== 202) {
      return reply as Answer;
    }
    return this.waitForAnswer(
      response.headers.get('Location') ?? `/v1/ai/questions/${encodeURIComponent(reply.question_id)}`,
      signal,
      onStep,
    );
  }

  /** What the page at `route` offers. */
  async offer(route: string): Promise<Offer> {
    const query = new URLSearchParams({
      route,
      ...(this.options.locale === null ? {} : { locale: this.options.locale }),
    });
    const response = await this.call(`/v1/tours?${query.toString()}`);
    return (await response.json()) as Offer;
  }

  /** One guide with its steps. */
  async guide(tourId: string): Promise<Guide> {
    const response = await this.call(`/v1/tours/${encodeURIComponent(tourId)}`, { headers: this.callerHeaders() });
    return (await response.json()) as Guide;
  }

  /**
   * Reports what happened in guides; goes through even while the page is being left. `sendBeacon` would too, but it
   * carries no `Authorization`, and sends the server's cookies along.
   */
  async send(events: TourEvent[]): Promise<void> {
    await this.call('/v1/events', { method: 'POST', body: { events, ...this.caller() }, keepalive: true });
  }

  private async waitForAnswer(
    location: string,
    signal: AbortSignal | undefined,
    onStep: (step: StreamedStep) => void,
  ): Promise<Answer> {
    const until = Date.now() + POLL_FOR_MS;
    let answer = await this.follow(location, signal, onStep);
    while (answer === null && Date.now() < until) {
      await pause(POLL_EVERY_MS, signal);
      signal?.throwIfAborted();
      const response = await this.call(location, { headers: this.callerHeaders(), signal });
      answer = response.status === 202 ? null : ((await response.json()) as Answer);
    }
    if (answer === null) {
      throw new ApiError('timeout', 'answer_not_in_time', '');
    }
    return answer;
  }

  /** Sees the answer being made. Null when that cannot be had, or not to its end. */
  private async follow(
    location: string,
    signal: AbortSignal | undefined,
    onStep: (step: StreamedStep) => void,
  ): Promise<Answer | null> {
    const headers = { ...this.callerHeaders(), Accept: EVENT_STREAM };
    const response = await this.call(location, { headers, signal }).catch(() => null);
    signal?.throwIfAborted();
    if (response === null || response.status === 202) {
      return null;
    }
    return response.headers.get('Content-Type')?.startsWith(EVENT_STREAM)
      ? readAnswer(response, signal, onStep)
      : ((await response.json()) as Answer);
  }

  private caller(): { visitor?: string; user?: IdentifiedUser } {
    return {
      ...(this.visitor.value === null ? {} : { visitor: this.visitor.value }),
      ...(this.options.user === null || !this.mayKnowAgain() ? {} : { user: this.options.user }),
    };
  }

  private callerHeaders(): Record<string, string> {
    const { visitor, user } = this.caller();
    return {
      ...(visitor === undefined ? {} : { 'X-Circuy-Visitor': visitor }),
      ...(user === undefined ? {} : { 'X-Circuy-User': user.id, 'X-Circuy-User-Hash': user.hash }),
    };
  }

  private call(path: string, options: CallOptions = {}): Promise<Response> {
    const { base, key, locale } = this.options;
    return call({ base, token: key, locale: locale ?? '' }, path, options);
  }
}
