/**
 * Circuy on a page of an enabled site. It runs in the extension's own world: the page's scripts do not see it, and its
 * calls to the server are neither the page's policy to forbid nor its service worker's to answer. They carry the page's
 * origin all the same, which the server checks like that of any page.
 */
import { Circuy } from '../../sdk/src/entry/circuy';
import { answerPopup, type Presence, type Reply, type Request } from './bridge';
import { hasOwnCircuy, watchForSecond } from './own_circuy';
import { checkServer } from './server_check';
import { onStateChange, readState, type State } from './state';

/** Circuy on this page, as long as its site is enabled. */
class Stay {
  private readonly circuy = new Circuy({
    widget: () => import('../../sdk/src/entry/widget'),
    recorder: () => import('../../sdk/src/entry/recorder'),
    preview: () => import('../../sdk/src/entry/preview'),
    shadow: () => import('../../sdk/src/entry/shadow'),
    server: '',
    data: () => ({}),
  });
  private presence: Presence = 'idle';
  private running = '';
  private state: State | null = null;
  private leave: (() => void) | null = null;

  /** Starts, starts again or leaves, as `state` has it. */
  follow(state: State): void {
    this.state = state;
    const { access, language } = state;
    if (this.presence === 'own') {
      return;
    }
    if (access === null || !state.sites.includes(location.origin)) {
      this.end('idle');
      return;
    }
    const wanted = JSON.stringify([access, language]);
    if (wanted === this.running) {
      return;
    }
    if (this.running === '' && hasOwnCircuy()) {
      this.end('own');
      return;
    }
    this.running = wanted;
    this.presence = 'running';
    this.leave ??= watchForSecond(() => {
      this.end('own');
    });
    this.circuy.init({
      server: access.server,
      key: access.key,
      ...(language === 'auto' ? {} : { locale: language }),
    });
  }

  async answer(request: Request): Promise<Reply> {
    const access = this.state?.access ?? null;
    if (this.presence !== 'running' || access === null) {
      return { presence: this.presence, reach: null };
    }
    if (request.circuy === 'open') {
      void this.circuy.open();
    } else if (request.circuy === 'record') {
      void this.circuy.record(request.code);
    }
    const reach = request.circuy === 'presence' ? await checkServer(access) : null;
    return { presence: this.presence, reach };
  }

  private end(presence: Presence): void {
    this.presence = presence;
    this.running = '';
    this.leave?.();
    this.leave = null;
    this.circuy.shutdown();
  }
}

const page = globalThis as { circuyStays?: true };
const isDocument = ['text/html', 'application/xhtml+xml'].includes(document.contentType);

// A site that is enabled again puts this script into its open pages again.
if (page.circuyStays === undefined && isDocument) {
  page.circuyStays = true;
  const stay = new Stay();
  const followed = readState().then((state) => {
    stay.follow(state);
  });
  onStateChange((state) => {
    stay.follow(state);
  });
  answerPopup(async (request) => {
    await followed;
    return stay.answer(request);
  });
}
