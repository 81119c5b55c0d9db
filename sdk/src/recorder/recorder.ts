import { ApiError } from '../api/errors';
import { openRecorderSession, RecorderClient } from '../api/recorder_client';
import type { ScanRequest, ScanStatus } from '../api/wire';
import { speaker, type Say } from '../core/locale';
import { recorderMessages, type RecorderMessageKey } from '../core/recorder_messages';
import { compileUsable, type Usable } from '../core/masking/extra';
import { environmentOf } from '../dom/environment';
import { HOSTS } from '../dom/own_ui';
import { scanPage, type Scan } from '../dom/scanner';
import { h } from '../ui/element';
import { mountHost, type Host } from '../ui/host';
import { icon } from '../ui/icons';
import theme from '../ui/theme.css';
import type { Settings } from '../widget/settings';
import { Boxes } from './boxes';
import { forgetToken, readSession, storeSession, type StoredSession } from './entrance';
import styles from './recorder.css';
import { describeCoverage, formField, kindCounts, nodeList, scanNotes, statusLine, talkCard } from './view';

const CODE_GONE = 'code_used_or_expired';
const SESSION_GONE = 'recorder_token_invalid';

/** The panel in which a product admin looks at what Circuy sees, names the page and sends it. */
export class Recorder {
  private say: Say<RecorderMessageKey>;
  private readonly env = environmentOf(window);
  private readonly boxes = new Boxes(this.env);
  private readonly leaving = new AbortController();
  private readonly content = h('div', { class: 'content' });
  private readonly status = h('div', { class: 'status-slot', attributes: { role: 'status' } });
  private host: Host;
  private scans = 0;

  constructor(
    private readonly settings: Settings,
    private readonly onQuit: () => void,
    private readonly onTalk: () => void,
  ) {
    this.say = speaker(recorderMessages, settings.locale);
    this.host = this.mount(settings.locale);
  }

  /** Opens the session (with `code`, or with the token that this tab keeps) and shows the first scan. */
  async start(code: string | null): Promise<void> {
    try {
      const session = await this.openSession(code);
      if (this.leaving.signal.aborted) {
        forgetToken();
        return;
      }
      this.say = speaker(recorderMessages, session.locale);
      this.host.remove();
      this.host = this.mount(session.locale);
      await this.scan(session);
    } catch (error) {
      const isGone = error instanceof ApiError && error.code === CODE_GONE;
      this.setStatus(statusLine('bad', isGone ? this.say('codeGone') : this.explain(error)));
      if (!isGone) {
        this.status.append(
          h(
            'button',
            {
              class: 'button quiet',
              hook: 'retry',
              attributes: { type: 'button' },
              on: { click: () => void this.start(code) },
            },
            icon('retry'),
            this.say('retry'),
          ),
        );
      }
    }
  }

  private async openSession(code: string | null): Promise<StoredSession> {
    const stored = code === null ? readSession() : null;
    if (stored !== null) {
      return stored;
    }
    this.setStatus(statusLine('working', this.say('connecting')));
    return storeSession(await openRecorderSession(this.settings, code ?? ''));
  }

  /** Reads the page and shows what would be sent. A later call takes the place of one that still reads. */
  private async scan(session: StoredSession): Promise<void> {
    this.scans += 1;
    const own = this.scans;
    this.setStatus(statusLine('working', this.say('scanning')));
    const masks = compileUsable(session.masks);
    let scan: Scan | null;
    try {
      scan = await scanPage(this.env, location.pathname, { masks: masks.rules });
    } catch {
      scan = null;
    }
    if (own !== this.scans || this.leaving.signal.aborted) {
      return;
    }
    if (scan === null) {
      this.setStatus(statusLine('bad', this.say('scanFailed'), this.rescanButton(session)));
      return;
    }
    this.setStatus(null);
    this.boxes.set(scan.payload.nodes, scan.elements);
    this.content.replaceChildren(
      ...(scan.payload.nodes.length === 0 ? [h('p', { class: 'empty' }, this.say('nothing'))] : []),
      ...this.report(scan, masks),
      this.form(scan, session),
    );
  }

  private rescanButton(session: StoredSession): HTMLElement {
    return h(
      'button',
      {
        class: 'button quiet',
        hook: 'rescan',
        attributes: { type: 'button' },
        on: {
          click: () => void this.scan(session),
        },
      },
      icon('retry'),
      this.say('rescan'),
    );
  }

  private report(scan: Scan, masks: Usable): HTMLElement[] {
    const notes = scanNotes(scan, masks.skipped, this.say);
    if (scan.payload.nodes.length === 0) {
      return [notes];
    }
    const toggle = h('input', {
      hook: 'toggle-boxes',
      attributes: { type: 'checkbox', role: 'switch' },
      on: {
        change: () => {
          this.boxes.show(toggle.checked);
        },
      },
    });
    toggle.checked = true;
    this.boxes.show(true);
    return [
      kindCounts(scan, this.say),
      notes,
      h('label', { class: 'switch' }, h('span', {}, this.say('boxes')), toggle),
      nodeList(scan, this.say, (id) => {
        this.boxes.pick(id);
      }),
    ];
  }

  private form(scan: Scan, session: StoredSession): HTMLElement {
    const coverage = h('p', { class: 'help', hook: 'coverage', attributes: { id: 'circuy-coverage' } });
    const name = formField('circuy-page-name', this.say('pageName'), proposeName(scan), 'page-name', null);
    const route = formField('circuy-route', this.say('route'), scan.payload.urlPattern, 'route', coverage);
    const describe = () => {
      const { text, isGood } = describeCoverage(route.input.value.trim(), location.pathname, this.say);
      coverage.textContent = isGood ? `${text} · ${this.say('routeHelp')}` : text;
      coverage.classList.toggle('bad', !isGood);
      return isGood;
    };
    route.input.addEventListener('input', describe);
    describe();
    const send = h(
      'button',
      {
        class: 'button',
        hook: 'submit-scan',
        attributes: { type: 'submit', disabled: scan.payload.nodes.length === 0 },
      },
      icon('send'),
      this.say('send'),
    );
    const submit = async () => {
      if (name.input.value.trim() === '') {
        this.setStatus(statusLine('bad', this.say('nameMissing')));
        name.input.focus();
        return;
      }
      if (!describe()) {
        route.input.focus();
        return;
      }
      send.disabled = true;
      await this.send(session, {
        ...scan.payload,
        ...(scan.truncated ? { truncated: true } : {}),
        urlPattern: route.input.value.trim(),
        name: name.input.value.trim(),
        locale: session.locale,
      });
      send.disabled = false;
    };
    return h(
      'form',
      {
        class: 'form',
        on: {
          submit: (event) => {
            event.preventDefault();
            void submit();
          },
        },
      },
      name.row,
      route.row,
      h('div', { class: 'actions' }, this.rescanButton(session), send),
    );
  }

  private async send(session: StoredSession, request: ScanRequest): Promise<void> {
    const client = new RecorderClient(this.settings, session.token);
    try {
      this.setStatus(statusLine('working', this.say('sending')));
      const scanId = await client.submit(request);
      this.setStatus(statusLine('working', this.say('learning')));
      this.setStatus(this.outcome(await client.waitUntilLearned(scanId, this.leaving.signal)));
    } catch (error) {
      if (error instanceof ApiError && error.code === SESSION_GONE) {
        forgetToken();
      }
      if (!this.leaving.signal.aborted) {
        this.setStatus(statusLine('bad', `${this.explain(error)} ${this.say('kept')}`));
      }
    }
  }

  private outcome(scan: ScanStatus): HTMLElement {
    const { skill } = scan;
    if (scan.status === 'failed' || skill === null) {
      return statusLine('bad', scan.message ?? this.say('failed'));
    }
    const text = skill.intents === 1 ? this.say('learnedOne') : this.say('learnedMany', { count: skill.intents });
    const link = reviewLink(skill.review_url, this.settings.base);
    return link === null
      ? statusLine('good', text)
      : statusLine(
          'good',
          text,
          h(
            'a',
            { class: 'review', hook: 'review', attributes: { href: link, target: '_blank', rel: 'noopener' } },
            this.say('review', { name: skill.name }),
            icon('external'),
          ),
        );
  }

  private explain(error: unknown): string {
    if (!(error instanceof ApiError)) {
      return this.say('errorServer');
    }
    switch (error.kind) {
      case 'offline':
        return this.say('errorOffline');
      case 'timeout':
        return this.say('errorTimeout');
      case 'throttled':
        return this.say('errorThrottled');
      case 'server':
        return this.say('errorServer');
      case 'refused':
        return error.code === SESSION_GONE ? this.say('sessionGone') : error.message || this.say('errorRefused');
    }
  }

  private setStatus(line: HTMLElement | null): void {
    this.status.replaceChildren(...(line === null ? [] : [line]));
  }

  private mount(locale: string): Host {
    const host = mountHost(HOSTS.recorder, locale, theme, styles);
    const member = readSession()?.member ?? '';
    const quit = h(
      'button',
      {
        class: 'icon-button',
        hook: 'quit',
        attributes: { type: 'button', 'aria-label': this.say('quit'), title: this.say('quit') },
        on: {
          click: () => {
            this.quit();
          },
        },
      },
      icon('close'),
    );
    const panel = h(
      'section',
      { class: 'panel', hook: 'recorder', attributes: { 'aria-label': this.say('name') } },
      h(
        'div',
        { class: 'header' },
        h('span', { class: 'mark' }, icon('mark')),
        h(
          'h2',
          { class: 'title', hook: 'recorder-title' },
          member === '' ? this.say('name') : this.say('hello', { name: firstName(member) }),
        ),
        quit,
      ),
      readSession() === null ? null : talkCard(this.say, this.onTalk),
      this.content,
      this.status,
    );
    host.root.append(h('div', { class: 'root' }, this.boxes.element, panel));
    return host;
  }

  /** Takes the recorder off the page. Its session goes on: the next one in this tab continues it. */
  remove(): void {
    this.leaving.abort();
    this.boxes.remove();
    this.host.remove();
  }

  private quit(): void {
    this.remove();
    forgetToken();
    this.onQuit();
  }
}

function firstName(member: string): string {
  return member.trim().split(/\s+/, 1)[0] ?? member;
}

/** The page's main heading, else its title. */
function proposeName(scan: Scan): string {
  const heading = scan.payload.nodes.find((node) => node.tag === 'h1')?.label ?? '';
  return heading.length > 0 && !heading.endsWith('…') ? heading : scan.payload.pageTitle;
}

/** Only a link to a web page: an address like `javascript:` is not followed, whoever sent it. */
function reviewLink(url: string, base: string): string | null {
  try {
    const parsed = new URL(url, base);
    return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed.href : null;
  } catch {
    return null;
  }
}
