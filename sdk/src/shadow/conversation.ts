import { ApiError } from '../api/errors';
import type { ShadowClient } from '../api/shadow_client';
import type { Say } from '../core/locale';
import type { ShadowMessageKey } from '../core/shadow_messages';
import type { ChatPanel } from './chat_panel';
import { choiceButtons, failure, hers, mine, thinking } from './replies';
import type { Tab } from './tab';
import type { ChatReply } from './wire';

/** The code of a token that is no longer good. */
export const SESSION_GONE = 'recorder_token_invalid';

const LONGEST_ROUTE = 300;

export interface ConversationOptions {
  say: Say<ShadowMessageKey>;
  /** Origin of the server: links in replies are its own. */
  base: string;
  locale: string;
  /** Done before each sentence is handed over. */
  before: () => Promise<void>;
  answered: (reply: ChatReply) => void;
  ended: () => void;
}

/** What is said to Léa and what she answers, kept over the pages of the tab. */
export class Conversation {
  private readonly life = new AbortController();
  /** One sentence after the other. */
  private turn: Promise<void> = Promise.resolve();

  constructor(
    private readonly tab: Tab,
    private readonly client: ShadowClient,
    private readonly panel: ChatPanel,
    private readonly options: ConversationOptions,
  ) {}

  /** Greets `name` and shows what was said on the pages before. */
  restore(name: string): void {
    const { lines } = this.tab.state;
    this.show({ reply: this.options.say('greeting', { name }), state: '' });
    for (const line of lines) {
      if (line.from === 'me') {
        this.panel.add(mine(line.text));
      } else {
        this.show(line.reply);
      }
    }
    const last = lines.at(-1);
    if (last?.from === 'lea') {
      this.offer(last.reply);
    }
  }

  speak(text: string): void {
    this.tab.add({ from: 'me', text });
    this.panel.add(mine(text));
    this.ask(text);
  }

  close(): void {
    this.life.abort();
  }

  private ask(text: string): void {
    this.panel.offer([]);
    this.turn = this.turn.then(() => this.converse(text));
  }

  private async converse(text: string): Promise<void> {
    const { signal } = this.life;
    const working = thinking(this.options.say);
    this.panel.add(working);
    try {
      await this.options.before();
      const { session, chat } = this.tab.state;
      const reply = await this.client.say(
        {
          session: chat,
          text,
          session_id: session,
          machine_id: this.tab.machine,
          locale: this.options.locale,
          route: location.pathname.slice(0, LONGEST_ROUTE),
        },
        signal,
      );
      working.remove();
      this.tab.add({ from: 'lea', reply });
      this.show(reply);
      this.offer(reply);
      this.options.answered(reply);
    } catch (error) {
      working.remove();
      if (!signal.aborted) {
        this.fail(error, text);
      }
    }
  }

  private show(reply: ChatReply): void {
    this.panel.add(hers(reply, this.options.say, this.options.base));
  }

  private fail(error: unknown, text: string): void {
    if (error instanceof ApiError && error.code === SESSION_GONE) {
      this.options.ended();
      return;
    }
    const card = failure(error, this.options.say, () => {
      card.remove();
      this.panel.focusField();
      this.ask(text);
    });
    this.panel.add(card);
  }

  private offer({ choices = [] }: ChatReply): void {
    // There is a button for this one already.
    const others = choices.filter((text) => text !== this.options.say('observe'));
    const pick = (text: string) => {
      this.panel.focusField();
      this.speak(text);
    };
    this.panel.offer(others.length === 0 ? [] : [choiceButtons(others, this.options.say, pick)]);
  }
}
