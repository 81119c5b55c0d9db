import type { Client } from '../api/client';
import { ApiError } from '../api/errors';
import { EventQueue } from '../api/event_queue';
import type { Answer, Guide, GuideSummary, Offer, WidgetSettings } from '../api/wire';
import type { Emitter } from '../core/emitter';
import { isHiddenOn } from '../core/hiding';
import { directionOf, speaker } from '../core/locale';
import { messages } from '../core/messages';
import { HOSTS } from '../dom/own_ui';
import type { EndedRun } from '../entry/tour';
import { h } from '../ui/element';
import { mountHost, sheetOf, type Host } from '../ui/host';
import theme from '../ui/theme.css';
import { failure, guideAnswer, nothingFound, progressLine, questionBubble, sentence, type Speaker } from './cards';
import type { WidgetEvents } from './events';
import { GrowingGuide } from './growing_guide';
import { GuidePlayer } from './guide_player';
import { History } from './history';
import { Launcher } from './launcher';
import launcherStyles from './launcher.css';
import { guideList, historyList, pageSuggestions, starters } from './lists';
import { lookSheet, paintGuides } from './look';
import { Panel } from './panel';
import panelStyles from './panel.css';
import { watchPath } from './path_watch';
import { isSampled, type Privacy } from './privacy';
import { Ratings } from './ratings';
import type { Settings } from './settings';

const SLOW_AFTER_MS = 6_000;
const NOTHING: Offer = { tours: [], suggestions: [] };

/** Circuy on one page: the launcher, the conversation, and the guides that come out of it. */
export class Widget {
  private readonly say: Speaker;
  private readonly queue: EventQueue;
  private readonly player: GuidePlayer;
  private readonly host: Host;
  private readonly root: HTMLElement;
  private readonly launcher: Launcher;
  private readonly history: History;
  private readonly ratings: Ratings;
  private readonly hideOn: readonly string[];
  private readonly leave: (() => void)[] = [];
  private made: Panel | null = null;
  private asking: AbortController | null = null;
  private focusBefore: Element | null = null;
  private hasAsked = false;
  private hasPainted = false;

  constructor(
    settings: Settings,
    private readonly look: WidgetSettings,
    private readonly client: Client,
    private readonly events: Emitter<WidgetEvents>,
    private readonly privacy: Privacy,
  ) {
    const { locale } = settings;
    this.say = speaker(messages, locale, settings.messages[locale]);
    this.hideOn = [...look.hidden_on, ...settings.hideOn];
    const mayKnowAgain = () => privacy.mayKnowAgain;
    this.history = new History(`${settings.key} ${settings.user?.id ?? ''}`, mayKnowAgain);
    this.queue = new EventQueue(
      (batch) => client.send(batch),
      // Somebody who says what they think wants to be heard.
      (type) => privacy.mayReport && (type === 'rated' || isSampled(look.events_percent)),
    );
    this.player = new GuidePlayer(this.queue, events, locale, settings.messages[locale]);
    this.ratings = new Ratings(this.say, {
      mayAsk: () => privacy.mayReport,
      rated: (tourId, isGood) => {
        this.noteRating(tourId, isGood);
      },
    });
    this.launcher = new Launcher(this.say, look.label, () => {
      if (this.isOpen) {
        this.close();
      } else {
        this.open();
      }
    });
    this.host = mountHost(HOSTS.widget, locale, theme, launcherStyles, lookSheet(look));
    this.host.element.setAttribute('dir', directionOf(locale));
    this.root = h('div', { class: look.side === 'left' ? 'root left' : 'root' }, this.launcher.element);
    this.host.root.append(this.root);
    this.leave.push(
      watchPath(() => {
        this.reflectPath();
      }),
    );
    this.reflectPath();
    this.resume().catch((error: unknown) => {
      console.error('Circuy: the guide of the page before could not go on.', error);
    });
  }

  open(): void {
    if (!this.isOpen) {
      this.show();
      this.panel.focusField();
    }
  }

  /** Closes the panel; the focus goes back to where it was. */
  close(): void {
    if (!this.isOpen) {
      return;
    }
    const hadFocus = this.host.root.activeElement !== null;
    this.panel.hide();
    this.launcher.reflect(false);
    if (hadFocus) {
      this.giveFocusBack();
    }
    this.events.emit('closed', {});
  }

  /**
   * Asks what the page's code wants to know. Where the person refused to be known, it is they who ask: the question is
   * written in the field for them to send.
   */
  askFor(question: string): Promise<Answer | null> {
    if (this.privacy.consent === false) {
      this.open();
      this.panel.begin(question);
      return Promise.resolve(null);
    }
    return this.ask(question);
  }

  /** Starts a guide, given or by its id; gives how it ended. `isWhole` says when no more steps are added to it. */
  async startTour(tour: string | Guide, isWhole?: () => boolean): Promise<'completed' | 'cancelled' | 'failed'> {
    try {
      return await this.play(typeof tour === 'string' ? await this.client.guide(tour) : tour, isWhole);
    } catch (error) {
      this.open();
      this.showFailure(error, () => void this.startTour(tour, isWhole));
      return 'failed';
    }
  }

  /** The published guides of the page at `route`; empty when they cannot be had. */
  async guides(route: string): Promise<GuideSummary[]> {
    return (await this.client.offer(route).catch(() => NOTHING)).tours;
  }

  /** Gives up what may not be kept any more. */
  reflectConsent(): void {
    if (!this.privacy.mayKnowAgain) {
      this.client.forgetVisitor();
      this.history.forget();
    }
  }

  /** Takes Circuy off the page. */
  destroy(): void {
    this.asking?.abort();
    this.player.stop();
    this.queue.close();
    for (const leave of this.leave) {
      leave();
    }
    this.host.remove();
  }

  /** The panel, made when it is first wanted: most visits go without it. */
  private get panel(): Panel {
    if (this.made === null) {
      this.made = new Panel(this.say, {
        ask: (question) => void this.ask(question),
        close: () => {
          this.close();
        },
        lastQuestion: () => this.history.all[0] ?? null,
      });
      this.made.add(sentence(this.say('greeting'), 'greeting'));
      this.host.root.adoptedStyleSheets.push(sheetOf(panelStyles));
      this.root.prepend(this.made.element);
    }
    return this.made;
  }

  private get isOpen(): boolean {
    return this.made?.isOpen ?? false;
  }

  /** Asks `question` about this page, shows the conversation and starts the guide that comes back. */
  private ask(question: string): Promise<Answer | null> {
    this.open();
    this.hasAsked = true;
    this.panel.add(questionBubble(question));
    this.history.add(question);
    this.events.emit('asked', { question });
    return this.request(question);
  }

  private show(): void {
    this.focusBefore = document.activeElement;
    this.panel.show();
    this.launcher.reflect(true);
    void this.refreshBelow();
    this.events.emit('opened', {});
  }

  private async request(question: string): Promise<Answer | null> {
    this.asking?.abort();
    const growing = new GrowingGuide();
    const asking = new AbortController();
    this.asking = asking;
    const progress = progressLine(this.say('searching'));
    this.panel.add(progress.element);
    const slow = setTimeout(() => {
      progress.say(this.say('searchingLong'));
    }, SLOW_AFTER_MS);
    try {
      const page = { route: location.pathname, title: document.title };
      const answer = await this.client.ask(question, page, asking.signal, (step) => {
        if (!asking.signal.aborted && growing.add(step)) {
          this.showStep(growing);
        }
      });
      asking.signal.throwIfAborted();
      this.showAnswer(answer, growing);
      return answer;
    } catch (error) {
      if (!asking.signal.aborted) {
        this.showFailure(error, () => void this.request(question));
      }
      return null;
    } finally {
      growing.isWhole = true;
      this.player.grew();
      clearTimeout(slow);
      progress.element.remove();
    }
  }

  /** The first step is shown as soon as it is made; the others are there when they are wanted. */
  private showStep(growing: GrowingGuide): void {
    if (growing.guide.steps.length === 1) {
      void this.startTour(growing.guide, () => growing.isWhole);
    } else {
      this.player.grew();
    }
  }

  private showAnswer(answer: Answer, growing: GrowingGuide): void {
    this.events.emit('answered', { answer });
    const isBegun = growing.guide.steps.length > 0;
    const isOnScreen = growing.becomes(answer);
    if (answer.steps.length === 0) {
      if (isBegun) {
        this.player.stop();
        this.open();
      }
      this.panel.add(nothingFound(answer.message ?? '', answer.suggestions, this.say, (goal) => void this.ask(goal)));
      return;
    }
    const start = () => void this.startTour(answer);
    this.panel.add(guideAnswer(answer, this.say, this.ratings.thumbs(answer), start));
    if (!isOnScreen) {
      start();
    }
  }

  private async play(guide: Guide, isWhole?: () => boolean): Promise<'completed' | 'cancelled'> {
    if (guide.steps.length === 0) {
      this.open();
      this.panel.add(sentence(this.say('notFound'), 'fallback'));
      return 'cancelled';
    }
    return this.follow(guide, () => this.player.play(guide, isWhole));
  }

  /** Goes on with the guide that led from the page before to this one, if one did. */
  private async resume(): Promise<void> {
    const resumed = await this.player.resume();
    if (resumed !== null) {
      await this.follow(resumed.guide, () => resumed.ended);
    }
  }

  /** Steps back while a guide runs, and asks afterwards what it was worth. */
  private async follow(guide: Guide, run: () => Promise<EndedRun>): Promise<'completed' | 'cancelled'> {
    if (!this.hasPainted) {
      this.hasPainted = true;
      this.leave.push(paintGuides(this.look));
    }
    this.launcher.stepBack(true);
    this.close();
    try {
      const { outcome, hadFocus } = await run();
      const question = outcome === 'completed' ? this.ratings.question(guide) : null;
      if (question !== null) {
        this.show();
        this.panel.add(question);
      }
      if (hadFocus) {
        (question?.querySelector('button') ?? this.launcher).focus({ preventScroll: true });
      }
      return outcome;
    } finally {
      this.launcher.stepBack(false);
    }
  }

  private noteRating(tourId: string, isGood: boolean): void {
    const detail = isGood ? 'up' : 'down';
    this.queue.add(tourId, 'rated', { detail });
    this.events.emit('tour', { type: 'rated', tourId, detail });
    this.panel.focusField();
  }

  private showFailure(error: unknown, retry: () => void): void {
    const card = failure(error, this.say, () => {
      card.remove();
      retry();
    });
    this.panel.add(card);
    this.events.emit('failed', { code: error instanceof ApiError ? error.code : 'unexpected' });
  }

  /** What stands below is a help, not the point: when it cannot be had, the panel does without. */
  private async refreshBelow(): Promise<void> {
    const path = location.pathname;
    const { tours, suggestions } = await this.client.offer(path).catch(() => NOTHING);
    if (path !== location.pathname) {
      return;
    }
    const ask = (question: string) => void this.ask(question);
    const pieces: HTMLElement[] = [];
    if (!this.hasAsked && suggestions.length > 0) {
      pieces.push(pageSuggestions(suggestions, this.say, ask));
    } else if (!this.hasAsked && tours.length === 0) {
      pieces.push(
        starters(this.say, (beginning) => {
          this.panel.begin(beginning);
        }),
      );
    }
    if (tours.length > 0) {
      pieces.push(guideList(tours, this.say, (tourId) => void this.startTour(tourId)));
    }
    if (!this.hasAsked && this.history.all.length > 0) {
      pieces.push(historyList(this.history.all, this.say, ask));
    }
    this.panel.showBelow(pieces);
  }

  private reflectPath(): void {
    this.launcher.element.hidden = isHiddenOn(this.hideOn, location.pathname);
    if (this.isOpen) {
      void this.refreshBelow();
    }
  }

  private giveFocusBack(): void {
    const before = this.focusBefore;
    if (
      before instanceof HTMLElement &&
      before.isConnected &&
      before !== document.body &&
      before !== this.host.element
    ) {
      before.focus({ preventScroll: true });
    } else {
      this.launcher.focus();
    }
  }
}
