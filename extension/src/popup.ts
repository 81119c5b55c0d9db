/** The popup: how Circuy stands with the page in front, and what can be done about it. */
import { h } from '../../sdk/src/ui/element';
import { askPage, type Reply, type Request } from './bridge';
import { button, field, fill, heading, keysLink, mark, notice, status } from './parts';
import { readRecordingLink } from './recording_link';
import { answers, isMixed, type Reach } from './server_check';
import { askForSite, enableSite, removeSite } from './sites';
import { readState, type Access, type State } from './state';
import { localeOf, speakerOf, type Say, type Text } from './texts';

/** The page in front: its tab, and the origin that would be enabled. */
interface Front {
  tabId: number;
  origin: string;
}

class Popup {
  private readonly say: Say<Text>;
  private readonly status = status();

  constructor(
    private readonly state: State,
    private readonly front: Front | null,
  ) {
    this.say = speakerOf(state.language);
  }

  async show(): Promise<void> {
    const { access, sites } = this.state;
    if (access === null) {
      this.fill(
        notice('plain', this.say('notSetUp')),
        button('open-settings', this.say('openSettings'), () => void chrome.runtime.openOptionsPage()),
      );
    } else if (this.front === null) {
      this.fill(notice('plain', this.say('noSuchPage')));
    } else if (sites.includes(this.front.origin)) {
      this.fill(notice('plain', this.say('looking')));
      const reply = await askPage(this.front.tabId, { circuy: 'presence' });
      this.fill(...(await this.enabled(this.front, access, reply)), this.removal(this.front));
    } else {
      this.fill(...this.disabled(this.front));
    }
  }

  private disabled(front: Front): HTMLElement[] {
    const enable = async () => {
      if (await askForSite(front.origin)) {
        await enableSite(front.origin);
        await start();
      } else {
        this.tell(notice('warn', this.say('notGranted')));
      }
    };
    return [
      notice('plain', this.say('siteOff')),
      button('enable', this.say('enable'), () => void enable()),
      h('p', { class: 'help' }, this.say('enableHelp')),
    ];
  }

  private async enabled(front: Front, access: Access, reply: Reply | null): Promise<HTMLElement[]> {
    if (reply === null || reply.presence === 'idle') {
      const reload = async () => {
        await chrome.tabs.reload(front.tabId);
        window.close();
      };
      return [notice('plain', this.say('siteAsleep')), button('reload', this.say('reload'), () => void reload())];
    }
    if (reply.presence === 'own') {
      return [notice('plain', this.say('siteOwn'))];
    }
    const reach = await this.explained(front, access, reply.reach ?? 'unreachable');
    if (reach !== 'fine') {
      const sentence = this.say(`reach_${reach}`, { site: front.origin, server: access.server });
      const isForAdmins = reach === 'origin_refused' || reach === 'key_unknown';
      return [
        notice('warn', h('p', {}, sentence), isForAdmins ? keysLink(this.say, access) : null),
        button('retry', this.say('retry'), () => void start(), 'quiet'),
      ];
    }
    return [
      notice('good', this.say('siteOn')),
      button('ask', this.say('askQuestion'), () => void this.send(front, { circuy: 'open' })),
      this.recording(front),
    ];
  }

  /** A page is not told why a call failed: whether the server is away, or does not answer this site. */
  private async explained(front: Front, access: Access, reach: Reach): Promise<Reach | 'mixed'> {
    if (reach !== 'unreachable') {
      return reach;
    }
    if (isMixed(front.origin, access.server)) {
      return 'mixed';
    }
    return (await answers(access.server)) ? 'origin_refused' : 'unreachable';
  }

  private recording(front: Front): HTMLElement {
    const input = h('input', { attributes: { type: 'text', autocomplete: 'off', spellcheck: 'false' } });
    const record = () => {
      const link = readRecordingLink(input.value, front.origin);
      if (link !== null && 'code' in link) {
        void this.send(front, { circuy: 'record', code: link.code });
        return;
      }
      this.tell(
        notice('bad', link === null ? this.say('recordNoCode') : this.say('recordElsewhere', { site: link.elsewhere })),
      );
      input.focus();
    };
    return h(
      'form',
      {
        class: 'card',
        on: {
          submit: (event) => {
            event.preventDefault();
            record();
          },
        },
      },
      heading('h2', this.say('record')),
      field('recording', this.say('recordLabel'), input, this.say('recordHelp')),
      h('button', { class: 'button quiet', hook: 'record', attributes: { type: 'submit' } }, this.say('recordStart')),
    );
  }

  private removal(front: Front): HTMLElement {
    const remove = async () => {
      await removeSite(front.origin);
      await start();
    };
    return button('remove', this.say('disable'), () => void remove(), 'plain');
  }

  /** Hands over to the page: what comes next happens there. */
  private async send(front: Front, request: Request): Promise<void> {
    if ((await askPage(front.tabId, request)) === null) {
      await start();
    } else {
      window.close();
    }
  }

  private tell(sentence: HTMLElement): void {
    this.status.replaceChildren(sentence);
  }

  private fill(...content: HTMLElement[]): void {
    const site = this.front === null ? 'Circuy' : new URL(this.front.origin).host;
    this.status.replaceChildren();
    fill(
      localeOf(this.state.language),
      'Circuy',
      h('header', {}, mark(), heading('h1', site)),
      ...content,
      this.status,
      h(
        'footer',
        {},
        button('settings', this.say('settings'), () => void chrome.runtime.openOptionsPage(), 'plain'),
      ),
    );
  }
}

/** The web page in front; null where there is none that Circuy could be on. */
async function pageInFront(): Promise<Front | null> {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  if (tab?.id === undefined || tab.url === undefined || !/^https?:/.test(tab.url)) {
    return null;
  }
  return { tabId: tab.id, origin: new URL(tab.url).origin };
}

async function start(): Promise<void> {
  await new Popup(await readState(), await pageInFront()).show();
}

void start();
