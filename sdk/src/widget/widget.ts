import { Client } from '../api/client';
import { ApiError } from '../api/errors';
import { EventQueue } from '../api/event_queue';
import type { Answer, Guide } from '../api/wire';
import { Emitter } from '../core/emitter';
import { speaker } from '../core/locale';
import { messages } from '../core/messages';
import { HOSTS } from '../dom/own_ui';
import { h } from '../ui/element';
import { mountHost, type Host } from '../ui/host';
import { icon } from '../ui/icons';
import theme from '../ui/theme.css';
import {
  failure,
  guideAnswer,
  guideList,
  nothingFound,
  progressLine,
  questionBubble,
  rating,
  sentence,
  starters,
  type Speaker,
} from './cards';
import type { WidgetEvents } from './events';
import { GuidePlayer } from './guide_player';
import { Panel } from './panel';
import type { Settings } from './settings';
import styles from './widget.css';

const SLOW_AFTER_MS = 6_000;

/** Circuy on one page: the launcher, the conversation, and the guides that come out of it. */
export class Widget {
  readonly events = new Emitter<WidgetEvents>();
  private readonly say: Speaker;
  private readonly client: Client;
  private readonly queue: EventQueue;
  private readonly player: GuidePlayer;
  private readonly host: Host;
  private readonly panel: Panel;
  private readonly launcher: HTMLButtonElement;
  private readonly beginnings: HTMLElement;
  private asking: AbortController | null = null;
  private focusBefore: Element | null = null;
  private hasAsked = false;

  constructor(settings: Settings) {
    this.say = speaker(messages, settings.locale);
    this.client = new Client(settings);
    this.queue = new EventQueue((events) => this.client.send(events));
    this.player = new GuidePlayer(this.queue, this.events, settings.locale, this.say);
    this.panel = new Panel(this.say, {
      ask: (question) => {
        this.ask(question).catch(() => undefined);
      },
      close: () => {
        this.close();
      },
    });
    this.panel.add(sentence(this.say('greeting'), 'greeting'));
    this.beginnings = starters(this.say, (beginning) => {
      this.panel.begin(beginning);
    });
    this.launcher = this.makeLauncher();
    this.host = mountHost(HOSTS.widget, settings.locale, theme, styles);
    this.host.root.append(h('div', { class: 'root' }, this.panel.element, this.launcher));
  }

  open(): void {
    if (!this.panel.isOpen) {
      this.show();
      this.panel.focusField();
    }
  }

  /** Closes the panel; the focus goes back to where it was. */
  close(): void {
    if (!this.panel.isOpen) {
      return;
    }
    const hadFocus = this.host.root.activeElement !== null;
    this.panel.hide();
    this.reflectOpen();
    if (hadFocus) {
      this.giveFocusBack();
    }
    this.events.emit('closed', {});
  }

  /**
   * Asks `question` about this page, shows the conversation and starts the guide that comes back. Resolves with the
   * answer once the guide has started; rejects with ApiError when there is none, after having said so in the panel.
   */
  async ask(question: string): Promise<Answer> {
    this.open();
    this.hasAsked = true;
    this.beginnings.remove();
    this.panel.add(questionBubble(question));
    this.events.emit('asked', { question });
    return this.request(question);
  }

  /** Starts a guide, given or by its id; resolves when it has ended. Rejects with ApiError when it cannot be had. */
  async startTour(tour: string | Guide): Promise<'completed' | 'cancelled'> {
    try {
      return await this.play(typeof tour === 'string' ? await this.client.guide(tour) : tour);
    } catch (error) {
      this.open();
      this.showFailure(error, () => {
        this.startTour(tour).catch(() => undefined);
      });
      throw error;
    }
  }

  /** Takes Circuy off the page. */
  destroy(): void {
    this.asking?.abort();
    this.player.stop();
    this.queue.close();
    this.events.clear();
    this.host.remove();
  }

  private show(): void {
    this.focusBefore = document.activeElement;
    this.panel.show();
    this.reflectOpen();
    void this.refreshBelow();
    this.events.emit('opened', {});
  }

  private async request(question: string): Promise<Answer> {
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    const progress = progressLine(this.say('searching'));
    this.panel.add(progress.element);
    const slow = setTimeout(() => {
      progress.say(this.say('searchingLong'));
    }, SLOW_AFTER_MS);
    try {
      const page = { route: location.pathname, title: document.title };
      const answer = await this.client.ask(question, page, asking.signal);
      this.showAnswer(answer);
      return answer;
    } catch (error) {
      if (!asking.signal.aborted) {
        this.showFailure(error, () => {
          this.request(question).catch(() => undefined);
        });
      }
      throw error;
    } finally {
      clearTimeout(slow);
      progress.element.remove();
    }
  }

  private showAnswer(answer: Answer): void {
    this.events.emit('answered', { answer });
    if (answer.steps.length === 0) {
      this.panel.add(
        nothingFound(answer.message ?? '', answer.suggestions, this.say, (goal) => {
          this.ask(goal).catch(() => undefined);
        }),
      );
      return;
    }
    const start = () => {
      this.startTour(answer).catch(() => undefined);
    };
    this.panel.add(guideAnswer(answer, this.say, start));
    start();
  }

  private async play(guide: Guide): Promise<'completed' | 'cancelled'> {
    if (guide.steps.length === 0) {
      this.open();
      this.panel.add(sentence(this.say('notFound'), 'fallback'));
      return 'cancelled';
    }
    this.launcher.classList.add('busy');
    this.close();
    try {
      const { outcome, hadFocus } = await this.player.play(guide);
      if (outcome === 'completed') {
        this.askRating(guide, hadFocus);
      } else if (hadFocus) {
        this.launcher.focus({ preventScroll: true });
      }
      return outcome;
    } finally {
      this.launcher.classList.remove('busy');
    }
  }

  private askRating(guide: Guide, takeFocus: boolean): void {
    const { tour_id: tourId } = guide;
    const card = rating(this.say, (isDone) => {
      const detail = isDone ? 'up' : 'down';
      if (tourId !== null) {
        this.queue.add(tourId, 'rated', { detail });
      }
      this.events.emit('tour', { type: 'rated', tourId, detail });
      this.panel.focusField();
    });
    this.show();
    this.panel.add(card);
    if (takeFocus) {
      card.querySelector('button')?.focus({ preventScroll: true });
    }
  }

  private showFailure(error: unknown, retry: () => void): void {
    const card = failure(error, this.say, () => {
      card.remove();
      retry();
    });
    this.panel.add(card);
    this.events.emit('failed', { code: error instanceof ApiError ? error.code : 'unexpected' });
  }

  /** The list is a help, not the point: when it cannot be had, the panel does without. */
  private async refreshBelow(): Promise<void> {
    const guides = await this.client.guides(location.pathname).catch(() => []);
    const start = (tourId: string) => {
      this.startTour(tourId).catch(() => undefined);
    };
    if (guides.length > 0) {
      this.panel.showBelow(guideList(guides, this.say, start));
    } else {
      this.panel.showBelow(this.hasAsked ? null : this.beginnings);
    }
  }

  private makeLauncher(): HTMLButtonElement {
    return h(
      'button',
      {
        class: 'launcher',
        hook: 'launcher',
        attributes: {
          type: 'button',
          'aria-label': this.say('launcherOpen'),
          'aria-expanded': 'false',
          'aria-haspopup': 'dialog',
        },
        on: {
          click: () => {
            if (this.panel.isOpen) {
              this.close();
            } else {
              this.open();
            }
          },
        },
      },
      icon('mark'),
      icon('close'),
    );
  }

  private reflectOpen(): void {
    const { isOpen } = this.panel;
    this.launcher.classList.toggle('open', isOpen);
    this.launcher.setAttribute('aria-expanded', String(isOpen));
    this.launcher.setAttribute('aria-label', this.say(isOpen ? 'launcherClose' : 'launcherOpen'));
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
      this.launcher.focus({ preventScroll: true });
    }
  }
}
