/** The options page: which server, which sites, which language. */
import { h } from '../../sdk/src/ui/element';
import { button, field, fill, heading, keysLink, mark, notice, status } from './parts';
import { checkServer, serverOf, type Reach } from './server_check';
import { patternOf, removeSite } from './sites';
import { onStateChange, readState, writeState, type Access, type Language, type State } from './state';
import { localeOf, speakerOf, type Say, type Text } from './texts';

const LANGUAGES: readonly [Language, string | null][] = [
  ['auto', null],
  ['fr', 'Français'],
  ['en', 'English'],
];

class Options {
  private say: Say<Text>;
  private readonly server = h('input', {
    attributes: { type: 'text', inputmode: 'url', autocomplete: 'off', spellcheck: 'false', required: true },
  });
  private readonly key = h('input', {
    attributes: { type: 'text', autocomplete: 'off', spellcheck: 'false', required: true },
  });
  private readonly checked = status();
  private readonly removed = status();

  constructor(private state: State) {
    this.say = speakerOf(state.language);
    this.server.value = state.access?.server ?? '';
    this.key.value = state.access?.key ?? '';
  }

  /** Shows `state`; what is being written in the fields stays. */
  show(state: State): void {
    const hadFocus = document.activeElement?.id ?? '';
    if (state.language !== this.state.language) {
      this.checked.replaceChildren();
      this.removed.replaceChildren();
    }
    this.state = state;
    this.say = speakerOf(state.language);
    fill(
      localeOf(state.language),
      this.say('optionsTitle'),
      h('header', {}, mark(), heading('h1', this.say('optionsTitle'))),
      this.serverCard(),
      this.sitesCard(),
      this.languageCard(),
      this.privacyCard(),
    );
    document.getElementById(hadFocus)?.focus();
  }

  private serverCard(): HTMLElement {
    this.server.placeholder = this.say('serverExample');
    this.key.placeholder = 'pk_…';
    return h(
      'form',
      {
        class: 'card',
        attributes: { novalidate: true },
        on: {
          submit: (event) => {
            event.preventDefault();
            void this.check();
          },
        },
      },
      heading('h2', this.say('serverTitle')),
      field('server', this.say('serverLabel'), this.server, ''),
      field('key', this.say('keyLabel'), this.key, this.say('keyHelp')),
      h(
        'div',
        {},
        h('button', { class: 'button main', hook: 'check', attributes: { type: 'submit' } }, this.say('check')),
      ),
      h('p', { class: 'help' }, this.say('checkHelp')),
      this.checked,
    );
  }

  /** Asks the server whether it takes the key, with the person's permission, and keeps both if it does. */
  private async check(): Promise<void> {
    const server = serverOf(this.server.value);
    const key = this.key.value.trim();
    if (server === null) {
      this.refuse(this.server, 'serverNotAddress');
      return;
    }
    if (!key.startsWith('pk_')) {
      this.refuse(this.key, key.startsWith('sk_') ? 'keySecret' : 'keyNotKey');
      return;
    }
    this.checked.replaceChildren(notice('plain', this.say('checking')));
    const reach = await reachWithPermission({ server, key });
    // The server knows the key when it refuses only where it is used: the options page is no page of a site.
    if (reach === 'fine' || reach === 'origin_refused') {
      this.server.value = server;
      await writeState({ access: { server, key } });
      this.checked.replaceChildren(notice('good', this.say('saved')));
    } else if (reach === null) {
      this.refuse(this.server, 'checkNotGranted');
    } else {
      this.refuse(reach === 'key_unknown' ? this.key : this.server, `reach_${reach}`);
    }
  }

  private refuse(input: HTMLInputElement, why: Text): void {
    const sentence = this.say(why, { server: serverOf(this.server.value) ?? '' });
    this.checked.replaceChildren(notice('bad', `${sentence} ${this.say('nothingSaved')}`));
    input.focus();
  }

  private sitesCard(): HTMLElement {
    const { access, sites } = this.state;
    const list = h('ul', { class: 'sites' });
    for (const site of sites) {
      const remove = async () => {
        await removeSite(site);
        this.removed.replaceChildren(notice('good', this.say('removed', { site })));
      };
      const away = button('remove-site', this.say('remove'), () => void remove(), 'quiet');
      away.setAttribute('aria-label', this.say('removeSite', { site }));
      list.append(h('li', { hook: 'site' }, h('span', {}, site), away));
    }
    return h(
      'section',
      { class: 'card' },
      heading('h2', this.say('sitesTitle')),
      sites.length === 0 ? h('p', { hook: 'no-sites' }, this.say('sitesNone')) : list,
      h('p', { class: 'help' }, this.say('sitesHelp')),
      access === null ? null : h('p', {}, keysLink(this.say, access)),
      this.removed,
    );
  }

  private languageCard(): HTMLElement {
    const choice = h('select', {
      on: {
        change: () => void writeState({ language: choice.value as Language }),
      },
    });
    for (const [value, name] of LANGUAGES) {
      choice.append(h('option', { attributes: { value } }, name ?? this.say('languageAuto')));
    }
    choice.value = this.state.language;
    return h(
      'section',
      { class: 'card' },
      heading('h2', this.say('languageTitle')),
      field('language', this.say('languageLabel'), choice, this.say('languageHelp')),
    );
  }

  private privacyCard(): HTMLElement {
    const sentences = (['privacySites', 'privacyServer', 'privacyTyped'] as const).map((text) =>
      h('li', {}, this.say(text)),
    );
    return h(
      'section',
      { class: 'card' },
      heading('h2', this.say('privacyTitle')),
      h('ul', { class: 'words' }, ...sentences),
    );
  }
}

/** How the server takes the key; null when the person did not let us ask. The permission is given back. */
async function reachWithPermission(access: Access): Promise<Reach | null> {
  const permission = { origins: [patternOf(access.server)] };
  const wasHeld = await chrome.permissions.contains(permission);
  if (!(await chrome.permissions.request(permission))) {
    return null;
  }
  const reach = await checkServer(access);
  if (!wasHeld) {
    await chrome.permissions.remove(permission);
  }
  return reach;
}

void readState().then((state) => {
  const options = new Options(state);
  options.show(state);
  onStateChange((changed) => {
    options.show(changed);
  });
});
