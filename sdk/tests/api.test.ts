import { afterEach, beforeEach, describe, expect, it, vi, type Mock } from 'vitest';
import { Client } from '../src/api/client';
import { ApiError } from '../src/api/errors';
import { EventQueue } from '../src/api/event_queue';
import type { TourEvent } from '../src/api/wire';
import { takeFragment } from '../src/entry/fragment';
import { readSession, storeSession } from '../src/recorder/entrance';

const BASE = 'https://circuy.example';
const PAGE = { route: '/factures/42', title: 'Facture' };
const all = () => true;
const ANSWER = { question_id: 'q1', tour_id: null, steps: [], suggestions: [] };

let mayKnowAgain: boolean;
let server: Mock<(url: URL, init: RequestInit) => Promise<Response>>;

function reply(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

function client(user: { id: string; hash: string } | null = null): Client {
  return new Client({ base: BASE, key: 'pk_test', locale: 'fr', user }, () => mayKnowAgain);
}

function callNumber(index: number): { url: string; headers: Record<string, string>; body: unknown } {
  const [url, init] = server.mock.calls[index] ?? [new URL(BASE), {}];
  const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : null;
  return { url: url.href, headers: init.headers as Record<string, string>, body };
}

beforeEach(() => {
  mayKnowAgain = true;
  vi.useFakeTimers();
  localStorage.clear();
  sessionStorage.clear();
  server = vi.fn();
  vi.stubGlobal('fetch', server);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('asking', () => {
  it('says which page it is and who asks', async () => {
    server.mockResolvedValueOnce(reply(200, { ...ANSWER, visitor: 'v1' }));
    await client({ id: 'u7', hash: 'h' }).ask('Comment ajouter une remise ?', PAGE);
    const { url, headers, body } = callNumber(0);
    expect(url).toBe(`${BASE}/v1/ai/ask`);
    expect(headers.Authorization).toBe('Bearer pk_test');
    expect(body).toEqual({
      question: 'Comment ajouter une remise ?',
      route: '/factures/42',
      page_title: 'Facture',
      locale: 'fr',
      user: { id: 'u7', hash: 'h' },
    });
  });

  it('keeps the visitor token for later pages and sends it back', async () => {
    server.mockImplementation(() => Promise.resolve(reply(200, { ...ANSWER, visitor: 'v1' })));
    await client().ask('a', PAGE);
    await client().ask('b', PAGE);
    expect(callNumber(1).body).toMatchObject({ visitor: 'v1' });
    expect(localStorage.getItem('circuy.visitor.pk_test')).toBe('v1');
  });

  it('names nobody and keeps nothing while the person refuses to be known', async () => {
    mayKnowAgain = false;
    localStorage.setItem('circuy.visitor.pk_test', 'from before');
    server.mockImplementation(() => Promise.resolve(reply(200, { ...ANSWER, visitor: 'v1' })));
    const anonymous = client({ id: 'u7', hash: 'h' });
    await anonymous.ask('a', PAGE);
    expect(callNumber(0).body).not.toHaveProperty('user');
    expect(callNumber(0).body).not.toHaveProperty('visitor');
    expect(localStorage.getItem('circuy.visitor.pk_test')).toBe('from before');
    anonymous.forgetVisitor();
    expect(localStorage).toHaveLength(0);
  });

  it('leaves the language to the organization when the page speaks none of ours', async () => {
    server.mockResolvedValueOnce(reply(200, ANSWER));
    await new Client({ base: BASE, key: 'pk_test', locale: null, user: null }, all).ask('a', PAGE);
    expect(callNumber(0).body).not.toHaveProperty('locale');
  });

  it('waits for an answer that takes time, with the same identity', async () => {
    server
      .mockResolvedValueOnce(reply(202, { question_id: 'q1', visitor: 'v1' }, { Location: '/v1/ai/questions/q1' }))
      .mockResolvedValueOnce(reply(202, { question_id: 'q1' }))
      .mockResolvedValueOnce(reply(200, ANSWER));
    const answer = client().ask('a', PAGE);
    await vi.advanceTimersByTimeAsync(900);
    await expect(answer).resolves.toEqual(ANSWER);
    expect(callNumber(2).url).toBe(`${BASE}/v1/ai/questions/q1`);
    expect(callNumber(2).headers['X-Circuy-Visitor']).toBe('v1');
  });

  it('gives up after thirty seconds', async () => {
    server.mockImplementation(() => Promise.resolve(reply(202, { question_id: 'q1' })));
    const failure = client()
      .ask('a', PAGE)
      .catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(31_000);
    await expect(failure).resolves.toMatchObject({ kind: 'timeout', code: 'answer_not_in_time' });
  });

  it.each([
    [reply(429, { code: 'throttled', detail: 'x' }, { 'Retry-After': '12' }), { kind: 'throttled', retryAfter: 12 }],
    [reply(500, 'not a problem'), { kind: 'server', code: 'http_500' }],
    [reply(403, { code: 'origin_refused', detail: 'Cette origine…' }), { kind: 'refused', message: 'Cette origine…' }],
    [new Response('<html>', { status: 502 }), { kind: 'server', code: 'http_502' }],
  ])('tells failures apart', async (response, expected) => {
    server.mockResolvedValueOnce(response);
    const error: unknown = await client()
      .ask('a', PAGE)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject(expected);
  });

  it('says offline when the server cannot be reached', async () => {
    server.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await expect(client().ask('a', PAGE)).rejects.toMatchObject({ kind: 'offline' });
  });
});

describe('events', () => {
  it('go out together, once, a moment after the first', async () => {
    const sent: TourEvent[][] = [];
    const queue = new EventQueue((events) => {
      sent.push(events);
      return Promise.resolve();
    }, all);
    queue.add('t1', 'started');
    queue.add('t1', 'step_shown', { step: 0 });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(sent.map((events) => events.map(({ type }) => type))).toEqual([['started', 'step_shown']]);
    expect(sent[0]?.[0]?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    queue.close();
    expect(sent).toHaveLength(1);
  });

  it('are kept, under the same ids, when the server did not get them', async () => {
    const send = vi.fn<(events: TourEvent[]) => Promise<void>>().mockRejectedValueOnce(new Error('offline'));
    send.mockResolvedValue(undefined);
    const queue = new EventQueue(send, all);
    queue.add('t1', 'started');
    await vi.advanceTimersByTimeAsync(2_000);
    queue.add('t1', 'completed');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(send.mock.calls[1]?.[0].map(({ type }) => type)).toEqual(['started', 'completed']);
    expect(send.mock.calls[1]?.[0][0]?.id).toBe(send.mock.calls[0]?.[0][0]?.id);
    queue.close();
  });

  it('are not collected, nor sent once collected, while they are refused', async () => {
    const send = vi.fn<(events: TourEvent[]) => Promise<void>>().mockResolvedValue(undefined);
    let taken: string[] = ['started', 'rated'];
    const queue = new EventQueue(send, (type) => taken.includes(type));
    queue.add('t1', 'step_shown');
    queue.add('t1', 'started');
    queue.add('t1', 'rated');
    taken = ['rated'];
    await vi.advanceTimersByTimeAsync(2_000);
    expect(send.mock.calls.flatMap(([events]) => events.map(({ type }) => type))).toEqual(['rated']);
    queue.close();
  });

  it('go out at once when the page is left, and no more after the queue is closed', () => {
    const send = vi.fn<(events: TourEvent[]) => Promise<void>>().mockResolvedValue(undefined);
    const queue = new EventQueue(send, all);
    queue.add('t1', 'started');
    window.dispatchEvent(new Event('pagehide'));
    expect(send).toHaveBeenCalledTimes(1);
    queue.close();
    window.dispatchEvent(new Event('pagehide'));
    expect(send).toHaveBeenCalledTimes(1);
  });
});

describe('the way in for a product admin', () => {
  it('takes the code out of the address', () => {
    history.replaceState(null, '', '/factures/42?tab=1#circuy-record=Ab_9-x');
    expect(takeFragment('record')).toBe('Ab_9-x');
    expect(location.href.endsWith('/factures/42?tab=1')).toBe(true);
    expect(takeFragment('record')).toBeNull();
  });

  it('leaves other fragments alone', () => {
    history.replaceState(null, '', '/factures#lignes');
    expect(takeFragment('record')).toBeNull();
    expect(location.hash).toBe('#lignes');
  });

  it('keeps the session in this tab until it expires', () => {
    storeSession({ token: 'rt_1', expires_in: 1800, organization: 'O', member: 'C', locale: 'fr', masks: [] });
    expect(readSession()?.token).toBe('rt_1');
    expect(localStorage).toHaveLength(0);
    vi.advanceTimersByTime(1_801_000);
    expect(readSession()).toBeNull();
  });

  it('does not trip over what another script left in its place', () => {
    sessionStorage.setItem('circuy.recorder', '{broken');
    expect(readSession()).toBeNull();
  });
});
