import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RecorderSession } from '../src/api/wire';
import { speaker } from '../src/core/locale';
import { recorderMessages } from '../src/core/recorder_messages';
import type { Scan } from '../src/dom/scanner';
import { Recorder } from '../src/recorder/recorder';
import { scanNotes } from '../src/recorder/view';
import { showPage } from './page';

const settings = {
  base: 'https://circuy.example',
  key: 'pk_1',
  locale: 'fr' as const,
  user: null,
  messages: {},
  hideOn: [],
};
const session = {
  token: 'rt_1',
  expires_in: 1800,
  organization: 'Orée',
  member: 'Camille Roux',
  locale: 'fr' as const,
};
let sent: string[] = [];
let quit: (() => void) | null = null;

beforeEach(() => {
  sent = [];
  sessionStorage.clear();
  // jsdom has no constructable style sheets and lays nothing out.
  vi.stubGlobal(
    'CSSStyleSheet',
    class {
      replaceSync = () => undefined;
    },
  );
  const box = { left: 1, top: 1, width: 80, height: 20, right: 81, bottom: 21, x: 1, y: 1 } as DOMRect;
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(box);
});

afterEach(() => {
  quit?.();
  quit = null;
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Opens the recorder on this page, with what a server answers to the code. */
async function record(html: string, answer: object): Promise<ShadowRoot> {
  showPage(html);
  vi.stubGlobal('fetch', (address: string | URL, init: RequestInit) => {
    if (String(address).endsWith('/v1/recorder/sessions')) {
      return Promise.resolve(new Response(JSON.stringify(answer), { status: 201 }));
    }
    sent.push(init.body as string);
    return Promise.resolve(
      new Response(JSON.stringify({ scan_id: '1', status: 'failed', skill: null }), { status: 202 }),
    );
  });
  await new Recorder(
    settings,
    () => undefined,
    () => undefined,
  ).start('code');
  return shown();
}

/** The recorder's panel, which is quit when the test ends. */
function shown(): ShadowRoot {
  const root = document.querySelector('circuy-recorder')?.shadowRoot;
  if (root == null) {
    throw new Error('the recorder is not on the page');
  }
  quit = () => {
    hooked(root, 'quit').click();
  };
  return root;
}

function hooked(root: ParentNode, name: string): HTMLElement {
  const found = root.querySelector(`[data-circuy=${name}]`);
  if (found === null) {
    throw new Error(`there is no ${name}`);
  }
  return found as HTMLElement;
}

const page = '<button id="open">Ouvrir CLI-2041</button><button id="call">Appeler 06 12 34 56 78</button>';

it("hides what the organization's patterns describe, says how much, and sends nothing of it", async () => {
  const root = await record(page, { ...session, masks: ['CLI-####'] } satisfies RecorderSession);

  expect(hooked(root, 'masked').textContent).toContain('2 données personnelles masquées');
  expect(hooked(root, 'nodes').textContent).toContain('Ouvrir [SENSITIVE]');
  (hooked(root, 'page-name') as HTMLInputElement).value = 'Clients';
  hooked(root, 'submit-scan').click();
  await vi.waitFor(() => {
    expect(sent).not.toHaveLength(0);
  });
  expect(sent[0]).toContain('Ouvrir [SENSITIVE]');
  expect(sent.join()).not.toContain('CLI-2041');
});

it('goes on without the patterns that it cannot use, and says how many those are', async () => {
  const root = await record(page, { ...session, masks: ['CLI-####', 'NEW**', 42] });

  expect(hooked(root, 'masks-skipped').textContent).toContain('2 masques de votre organisation');
  expect(hooked(root, 'nodes').textContent).toContain('Ouvrir [SENSITIVE]');
});

it.each([{}, { masks: null }, { masks: 'CLI-####' }])('works with a server that answers %j', async (answer) => {
  const root = await record(page, { ...session, ...answer });

  expect(root.querySelector('[data-circuy=masks-skipped]')).toBeNull();
  expect(hooked(root, 'masked').getAttribute('data-count')).toBe('1');
});

it('keeps the patterns of the session over a page load', async () => {
  await record(page, { ...session, masks: ['CLI-####'] });
  document.querySelector('circuy-recorder')?.remove();

  await new Recorder(
    settings,
    () => undefined,
    () => undefined,
  ).start(null);

  const root = shown();
  expect(hooked(root, 'nodes').textContent).toContain('Ouvrir [SENSITIVE]');
});

it('leaves nothing when it is quit while it reads the page', async () => {
  showPage(page);
  sessionStorage.setItem('circuy.recorder', JSON.stringify({ ...session, masks: [], until: Date.now() + 60_000 }));
  const recorder = new Recorder(
    settings,
    () => undefined,
    () => undefined,
  );
  const started = recorder.start(null);
  const root = shown();
  hooked(root, 'quit').click();
  await started;
  expect(root.querySelector('[data-circuy=nodes]')).toBeNull();
  expect(document.querySelector('circuy-recorder')).toBeNull();
});

const scanned = (changes: Partial<Scan>): Scan => ({
  payload: { urlPattern: '/', pageTitle: '', nodes: [{ id: 'n1', tag: 'a', selector: 'a', isInteractive: true }] },
  elements: new Map(),
  kinds: new Map(),
  masked: 12,
  truncated: false,
  failed: 0,
  ...changes,
});

it.each([
  ['fr', { truncated: true }, 0, 'truncated', 'plus d’éléments que ce qui peut être envoyé'],
  ['en', { truncated: true }, 0, 'truncated', 'more elements than can be sent'],
  ['fr', {}, 0, 'masked', '12 données personnelles masquées'],
  ['en', {}, 1, 'masks-skipped', '1 mask of your organization'],
  ['fr', { failed: 3 }, 0, 'failed', '3 éléments'],
] as const)('says before sending what is missing or masked (%s, %j)', (locale, changes, skipped, hook, words) => {
  const notes = scanNotes(scanned(changes), skipped, speaker(recorderMessages, locale));
  expect(hooked(notes, hook).textContent).toContain(words);
});

it('says nothing is missing when nothing is', () => {
  const notes = scanNotes(scanned({}), 0, speaker(recorderMessages, 'fr'));
  expect(notes.querySelectorAll('.warn')).toHaveLength(0);
});
