import { ApiError } from '../api/errors';
import { ShadowClient } from '../api/shadow_client';
import { speaker, type Say } from '../core/locale';
import { compileUsable } from '../core/masking/extra';
import { shadowMessages, type ShadowMessageKey } from '../core/shadow_messages';
import { environmentOf } from '../dom/environment';
import { HOSTS } from '../dom/own_ui';
import { keepInReach } from '../preview/top_layer';
import { forgetToken, noteShowing, readSession, storeSession, type StoredSession } from '../recorder/entrance';
import { h } from '../ui/element';
import { mountHost, type Host } from '../ui/host';
import theme from '../ui/theme.css';
import type { Settings } from '../widget/settings';
import { ChatPanel } from './chat_panel';
import { Conversation, SESSION_GONE } from './conversation';
import { Demonstration } from './demonstration';
import { FIRST_PLACE, isPlace, RecBar } from './rec_bar';
import { failure } from './replies';
import styles from './shadow.css';
import { Tab } from './tab';
import { Understander } from './understander';
import type { ChatReply } from './wire';

const TICK_EVERY_MS = 500;
const RENEW_BEFORE_MS = 10 * 60_000;
const RENEW_EVERY_MS = 60_000;
const OBSERVING = 'observing';
/** States in which Léa has asked something, and another task would be beside the point. */
const ASKING = new Set(['proposing', 'choosing_machine', 'reviewing', 'naming', 'confirming', 'built']);

/** What is called when Léa is left. */
export interface Leaving {
  quit: () => void;
  /** Back to the scan of the page. */
  toPage: () => void;
}

/** Léa on a page: the conversation with her, and the recording of what she is shown. */
export class Lea {
  private readonly say: Say<ShadowMessageKey>;
  private readonly tab: Tab;
  private readonly client: ShadowClient;
  private readonly host: Host;
  private readonly letGo: () => void;
  private readonly panel: ChatPanel;
  private readonly bar: RecBar;
  private readonly conversation: Conversation;
  private readonly demonstration: Demonstration;
  private readonly understander: Understander;
  private readonly timer: ReturnType<typeof setInterval>;
  /** When recording last began or ended here: what the server said before that is out of date. */
  private changed = 0;
  private renewed = 0;
  private isReached = true;

  constructor(
    settings: Settings,
    private session: StoredSession,
    private readonly leaving: Leaving,
  ) {
    noteShowing(true);
    const { locale, organization, member } = session;
    this.tab = new Tab(`${settings.key} ${organization} ${member}`);
    this.say = speaker(shadowMessages, locale);
    this.client = new ShadowClient(() => ({
      base: settings.base,
      token: (readSession() ?? this.session).token,
      locale,
    }));
    this.panel = this.makePanel();
    this.bar = this.makeBar();
    this.host = mountHost(HOSTS.recorder, locale, theme, styles);
    this.host.root.append(h('div', { class: 'root' }, this.bar.element, this.panel.element));
    this.letGo = keepInReach(this.host);
    this.conversation = new Conversation(this.tab, this.client, this.panel, {
      say: this.say,
      base: settings.base,
      locale,
      // What was just done is a part of what Léa is asked about.
      before: () => this.demonstration.handOver(),
      answered: (reply) => {
        this.answered(reply);
      },
      ended: () => {
        this.end();
      },
    });
    this.understander = new Understander(this.tab, this.client, {
      step: (intent) => {
        this.bar.tell(intent);
      },
      recording: (isOn, askedAt) => {
        this.follow(isOn, askedAt);
      },
    });
    this.demonstration = new Demonstration(
      environmentOf(window),
      this.tab,
      this.client,
      compileUsable(session.masks).rules,
      {
        arrived: ({ recording }, askedAt) => {
          if (recording !== undefined) {
            this.follow(recording, askedAt);
          }
        },
        ended: () => {
          this.end();
        },
        reached: (isReached) => {
          this.reach(isReached);
        },
        changed: () => {
          this.reflect();
        },
        blind: (reason) => {
          this.bar.warn(this.say(reason));
        },
      },
    );
    this.restore();
    this.timer = setInterval(() => {
      this.tick();
    }, TICK_EVERY_MS);
  }

  /** Takes Léa off the page. What is shown in this tab goes on with the next page. */
  remove(): void {
    this.conversation.close();
    clearInterval(this.timer);
    this.understander.close();
    this.demonstration.close();
    this.letGo();
    this.host.remove();
  }

  private makePanel(): ChatPanel {
    return new ChatPanel(this.say, {
      send: (text) => {
        this.conversation.speak(text);
      },
      observe: () => {
        this.conversation.speak(this.say('observe'));
      },
      back: () => {
        noteShowing(false);
        this.remove();
        this.leaving.toPage();
      },
      reduce: () => {
        this.open(false);
        this.bar.focusTalk();
      },
      quit: () => {
        this.remove();
        this.tab.forget();
        forgetToken();
        this.leaving.quit();
      },
      drafted: (draft) => {
        this.tab.change({ draft });
      },
    });
  }

  private makeBar(): RecBar {
    return new RecBar(this.say, {
      pause: () => {
        this.demonstration.pause();
        this.bar.tell(this.say('pausedLine'));
      },
      resume: () => {
        this.demonstration.resume();
        this.bar.tell(this.say('resumed'));
      },
      undo: () => {
        this.demonstration.undo();
        this.bar.tell(this.say('undone'));
        this.understander.soon();
      },
      stop: () => {
        this.open(true);
        this.conversation.speak(this.say('finished'));
      },
      talk: () => {
        this.open(!this.panel.isOpen);
      },
      moved: (place) => {
        this.tab.change({ place });
      },
    });
  }

  /** Shows what the page before left, or begins. */
  private restore(): void {
    const { lines, draft, place, status, isPanelOpen } = this.tab.state;
    this.conversation.restore(this.session.member.trim().split(/\s+/, 1)[0] ?? '');
    this.panel.begin(draft);
    this.bar.put(isPlace(place) ? place : FIRST_PLACE);
    this.bar.tell(this.say(status === 'paused' ? 'pausedLine' : 'watching'));
    this.open(isPanelOpen, false);
    if (lines.length === 0) {
      this.demonstration.announce();
      this.panel.focusField();
    }
    this.reflect();
  }

  private open(isOpen: boolean, movesFocus = true): void {
    this.tab.change({ isPanelOpen: isOpen });
    this.panel.show(isOpen);
    if (isOpen && movesFocus) {
      this.panel.focusField();
    }
  }

  private reflect(): void {
    const { status } = this.tab.state;
    const isWatched = status !== 'idle';
    this.bar.element.hidden = !isWatched;
    this.bar.reflect({ isPaused: status === 'paused', actions: this.tab.state.groups.length });
    this.bar.tick(this.tab.recorded());
    const last = this.tab.state.lines.filter((line) => line.from === 'lea').at(-1);
    this.panel.reflect(isWatched, !ASKING.has(last?.reply.state ?? ''));
    if (status === 'recording') {
      this.understander.soon();
    }
  }

  private answered(reply: ChatReply): void {
    const { status } = this.tab.state;
    if (reply.state === OBSERVING && status === 'idle') {
      this.start();
      this.bar.tell(firstLine(reply.reply));
    } else if (reply.state !== OBSERVING && status !== 'idle') {
      this.stop();
    }
    this.reflect();
  }

  /** The server says whether it observes this session; it may have been told elsewhere. */
  private follow(isObserved: boolean, askedAt: number): void {
    const { status } = this.tab.state;
    if (askedAt < this.changed) {
      return;
    }
    if (isObserved && status === 'idle') {
      this.start();
      this.bar.tell(this.say('watching'));
    } else if (!isObserved && status !== 'idle') {
      this.stop();
    }
  }

  private reach(isReached: boolean): void {
    if (isReached !== this.isReached) {
      this.isReached = isReached;
      this.bar.warn(isReached ? '' : this.say('unreached'));
    }
  }

  private start(): void {
    const hadFocus = this.panel.hasFocus;
    this.changed = Date.now();
    this.open(false);
    this.demonstration.start();
    if (hadFocus) {
      this.bar.focusTalk();
    }
  }

  private stop(): void {
    this.changed = Date.now();
    this.demonstration.stop();
    this.bar.warn('');
    this.open(true);
  }

  /** The token is no longer good, and no other can be had: nothing that is done would arrive. */
  private end(): void {
    if (this.tab.state.status !== 'idle') {
      this.stop();
    }
    const gone = new ApiError('refused', SESSION_GONE, '');
    this.panel.add(failure(gone, this.say, () => undefined));
    forgetToken();
  }

  private tick(): void {
    if (this.tab.state.status === 'recording') {
      this.bar.tick(this.tab.recorded());
    }
    this.understander.tick(this.panel.isOpen);
    const now = Date.now();
    if (this.session.until - now < RENEW_BEFORE_MS && now - this.renewed > RENEW_EVERY_MS) {
      this.renewed = now;
      void this.renew();
    }
  }

  /** A recording may last longer than a token. */
  private async renew(): Promise<void> {
    try {
      this.session = storeSession({ ...this.session, ...(await this.client.renew()) });
    } catch {
      // The present one still has some minutes: it is asked for again.
    }
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}
