import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ShadowClient } from '../src/api/shadow_client';
import { Cleaning } from '../src/dom/cleaning';
import { addressOf } from '../src/shadow/addresses';
import { Outbox } from '../src/shadow/outbox';
import { PageReading } from '../src/shadow/page_reading';
import { Portraits } from '../src/shadow/portraits';
import { arrival } from '../src/shadow/routes';
import { Secrets } from '../src/shadow/secrets';
import { readUnsent, Tab } from '../src/shadow/tab';
import type { Batch, ObservedEvent } from '../src/shadow/wire';
import { showPage, testEnvironment } from './page';

const LIMIT = 64 * 1_024;
let sent: Batch[] = [];
let answers: (() => Response)[] = [];
let outbox: Outbox | null = null;

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  sent = [];
  answers = [];
  vi.stubGlobal('fetch', (_: URL, { body, keepalive }: RequestInit) => {
    expect(keepalive).toBe(true);
    expect(new TextEncoder().encode(body as string).length).toBeLessThan(LIMIT);
    sent.push(JSON.parse(body as string) as Batch);
    const answer = answers.shift();
    return answer === undefined ? Promise.resolve(new Response('{"recording":true}')) : Promise.resolve(answer());
  });
});

afterEach(() => {
  outbox?.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const news = { arrived: () => undefined, ended: vi.fn(), reached: vi.fn() };
const client = () => new ShadowClient(() => ({ base: 'https://circuy.example', token: 'rt_1', locale: 'fr' }));
const event = (sequence: number, value = 'x'): ObservedEvent => ({
  kind: 'fill',
  sequence,
  at: 1,
  url: '/',
  title: '',
  trusted: true,
  value,
});

function open(tab = new Tab('Camille')): Outbox {
  outbox = new Outbox(tab, client(), news);
  return outbox;
}

it('sends what waits in batches that browsers let through while a page is left', async () => {
  const box = open();
  for (let i = 0; i < 450; i += 1) {
    box.add(event(i, 'é'.repeat(i < 250 ? 290 : 1)));
  }
  await box.flush();

  expect(Math.max(...sent.map(({ events }) => events.length))).toBeLessThanOrEqual(200);
  expect(sent.flatMap(({ events }) => events.map(({ sequence }) => sequence))).toEqual([...Array(450).keys()]);
});

it('keeps what did not arrive, tries again later each time, and leaves the rest to the next page', async () => {
  const tab = new Tab('Camille');
  const lost = () => new Response('', { status: 503 });
  answers = [lost, lost];
  const box = open(tab);
  box.add(event(1));
  await vi.advanceTimersByTimeAsync(700);
  await vi.advanceTimersByTimeAsync(800);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(300);
  expect(sent).toHaveLength(2);
  expect(news.reached).toHaveBeenLastCalledWith(false);
  box.close();

  expect(readUnsent(tab.state.session)).toHaveLength(1);
  const next = open(new Tab('Camille'));
  await vi.advanceTimersByTimeAsync(100);
  await next.flush();
  expect(sent.at(-1)?.events.map(({ sequence }) => sequence)).toEqual([1]);
  expect(readUnsent(tab.state.session)).toEqual([]);
});

it('goes on after a batch that is refused, and stops when the token is no longer good', async () => {
  const refusal = (code: string, status: number) => () => new Response(JSON.stringify({ code }), { status });
  const complained = vi.spyOn(console, 'error').mockReturnValue();
  answers = [refusal('invalid_input', 422)];
  const box = open();
  box.add(event(1));
  await box.flush();
  box.add(event(2));
  answers = [refusal('recorder_token_invalid', 401)];
  await box.flush();

  expect(complained).toHaveBeenCalledOnce();
  expect(news.ended).toHaveBeenCalledOnce();
  expect(readUnsent(new Tab('Camille').state.session).map(({ sequence }) => sequence)).toEqual([2]);
});

it('gives out sequence numbers that never come again, in this tab or in one that it opened', () => {
  const first = new Tab('Camille');
  const one = first.nextSequence();
  const two = first.nextSequence();
  first.change({});
  vi.advanceTimersByTime(40);
  const opened = new Tab('Camille');
  expect(opened.state.session).toBe(first.state.session);
  const three = opened.nextSequence();
  vi.advanceTimersByTime(5);
  const four = first.nextSequence();
  expect([one, two, three, four]).toEqual([...new Set([one, two, three, four])].sort((a, b) => a - b));
});

it.each([
  ['https://a.example/clients/42?page=3&tri=nom&page=4#haut', 'https://a.example/clients/42?page=&tri='],
  ['https://a.example/#/commandes?q=lin', 'https://a.example/#/commandes'],
  ['https://u:p@a.example/u/alice%40example.com/x', 'https://a.example/u/*/x'],
])('tells %s as %s', (href, address) => {
  expect(addressOf(href, new Cleaning([]))).toBe(address);
});

it.each([
  ['reload', 'link', 'reload'],
  ['back_forward', 'nothing', 'back'],
  ['navigate', 'link', 'link'],
  ['navigate', 'form', 'form'],
  ['navigate', 'other', 'script'],
  ['navigate', 'nothing', 'typed'],
] as const)('a page that was opened by %s after %s is there by %s', (type, by, cause) => {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as unknown as PerformanceEntry]);
  expect(arrival({ url: 'https://a.example/', by, index: -1 }, false)).toBe(cause);
});

it('knows a password by its type, by what it once was, by its name and by what the browser fills in', () => {
  showPage(`<form><input id="a" type="password"><input id="b" autocomplete="section-x cc-number"><input id="cvc-code">
    <input id="d" aria-label="Mot de passe"><input id="city"><input id="e" type="hidden" name="token"></form>`);
  const secrets = new Secrets(testEnvironment());
  secrets.watch(document);
  const field = (id: string) => document.getElementById(id) as HTMLInputElement;
  field('a').type = 'text';
  field('city').setAttribute('type', 'text');

  expect(['a', 'b', 'cvc-code', 'd', 'city'].map((id) => secrets.has(field(id)))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
  const again = document.createElement('input');
  again.id = 'a';
  field('a').replaceWith(again);
  expect(secrets.has(again)).toBe(true);
  secrets.close();
});

it('reads a page once until it changes', () => {
  showPage('<h2>Clients</h2><button id="one">Ouvrir</button><button>Fermer</button>');
  const env = testEnvironment();
  let reads = 0;
  const counting = {
    ...env,
    select: (...given: Parameters<typeof env.select>) => {
      reads += given[1] === '*' ? 1 : 0;
      return env.select(...given);
    },
  };
  const cleaning = new Cleaning([]);
  const page = new PageReading(counting, cleaning);
  const portraits = new Portraits(counting, page, cleaning);
  const button = document.querySelector<HTMLElement>('#one') ?? document.body;
  const seen = [1, 2].map(() => portraits.of({ element: button, kind: null })?.target.heading);
  expect([...seen, reads]).toEqual(['Clients', 'Clients', 1]);

  document.querySelector('h2')?.replaceChildren('Commandes');
  expect(portraits.of({ element: button, kind: null })?.target.heading).toBe('Commandes');
  expect(reads).toBe(2);
  page.close();
});
