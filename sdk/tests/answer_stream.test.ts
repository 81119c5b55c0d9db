import { afterEach, beforeEach, describe, expect, it, vi, type Mock } from 'vitest';
import { readAnswer, type StreamedStep } from '../src/api/answer_stream';
import { Client } from '../src/api/client';
import type { Answer, Step } from '../src/api/wire';
import { GrowingGuide } from '../src/widget/growing_guide';

const PAGE = { route: '/factures/42', title: 'Facture' };
const ANSWER = { question_id: 'q1', tour_id: 't1', status: 'ephemeral', source: 'llm', title: '', suggestions: [] };

function step(element: string, text = 'Ici.'): Step {
  return { attachTo: { element, on: 'bottom' }, fallback_selector: '', title: 'Pas', text, buttons: [] };
}

function answer(...steps: Step[]): Answer {
  return { ...ANSWER, steps } as Answer;
}

function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A reply whose pieces are there at once, and which ends after them if it is told to. */
function streamOf(pieces: string[], ends = true): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) {
        controller.enqueue(encoder.encode(piece));
      }
      if (ends) {
        controller.close();
      }
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
}

function inPieces(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, i) => text.slice(i * length, (i + 1) * length));
}

const WHOLE = answer(step('#a'), step('#b', 'Là : « é ».'));
const STREAM = [
  'retry: 1000\n\n',
  event('step', { index: 0, ...step('#a') }),
  ': still here\n\n',
  event('step', { index: 1, ...step('#b', 'Là : « é ».') }),
  event('answer', WHOLE),
].join('');

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('an answer that is read while it is made', () => {
  it.each([1, 7, 4096])('is the same in pieces of %i characters', async (length) => {
    const heard: StreamedStep[] = [];
    const read = await readAnswer(streamOf(inPieces(STREAM, length)), undefined, (one) => heard.push(one));
    expect(read).toEqual(WHOLE);
    expect(heard.map(({ index }) => index)).toEqual([0, 1]);
    expect(heard[1]?.text).toBe('Là : « é ».');
  });

  it.each([
    ['ends too early', ['retry: 1000\n\n', event('step', { index: 0, ...step('#a') })]],
    ['holds what is no JSON', ['event: answer\ndata: {broken\n\n']],
    ['says that there will be none', [event('problem', { code: 'not_found' })]],
    ['is empty', []],
  ])('is none when the stream %s', async (_, pieces) => {
    await expect(readAnswer(streamOf(pieces), undefined, () => undefined)).resolves.toBeNull();
  });

  it('is none when the stream falls silent', async () => {
    const read = readAnswer(streamOf(['retry: 1000\n\n'], false), undefined, () => undefined);
    await vi.advanceTimersByTimeAsync(11_000);
    await expect(read).resolves.toBeNull();
  });

  it('is none when nobody wants it any more', async () => {
    const asking = new AbortController();
    const read = readAnswer(streamOf(['retry: 1000\n\n'], false), asking.signal, () => undefined);
    asking.abort();
    await expect(read).resolves.toBeNull();
  });
});

describe('asking', () => {
  let server: Mock<(url: URL, init: RequestInit) => Promise<Response>>;
  const pending = (): Response =>
    new Response('{"question_id":"q1","visitor":"v1"}', { status: 202, headers: { Location: '/v1/ai/questions/q1' } });
  const client = () => new Client({ base: 'https://c.example', key: 'pk', locale: 'fr', user: null }, () => true);
  const accepted = (index: number) => (server.mock.calls[index]?.[1].headers as Record<string, string>).Accept;

  beforeEach(() => {
    server = vi.fn();
    vi.stubGlobal('fetch', server);
  });

  it('follows an answer that takes time, and gives the whole', async () => {
    server.mockResolvedValueOnce(pending()).mockResolvedValueOnce(streamOf([STREAM]));
    const heard: number[] = [];
    const whole = await client().ask('a', PAGE, undefined, ({ index }) => heard.push(index));
    expect(whole).toEqual(WHOLE);
    expect(heard).toEqual([0, 1]);
    expect(accepted(0)).toBe('application/json, text/event-stream');
    expect(accepted(1)).toBe('text/event-stream');
    expect((server.mock.calls[1]?.[1].headers as Record<string, string>)['X-Circuy-Visitor']).toBe('v1');
  });

  it.each([
    ['breaks off', () => Promise.resolve(streamOf(['retry: 1000\n\n']))],
    ['cannot be had', () => Promise.resolve(pending())],
    ['is refused', () => Promise.resolve(new Response('{}', { status: 406 }))],
    ['is held back by a proxy', () => Promise.reject(new TypeError('network'))],
  ])('asks again and again when the stream %s', async (_, stream) => {
    server
      .mockResolvedValueOnce(pending())
      .mockImplementationOnce(stream)
      .mockResolvedValueOnce(pending())
      .mockResolvedValueOnce(new Response(JSON.stringify(WHOLE)));
    const asked = client().ask('a', PAGE);
    await vi.advanceTimersByTimeAsync(900);
    await expect(asked).resolves.toEqual(WHOLE);
    expect(accepted(2)).toBe('application/json');
  });

  it('takes the answer where it is there before it can be followed', async () => {
    server.mockResolvedValueOnce(pending()).mockResolvedValueOnce(new Response(JSON.stringify(WHOLE)));
    await expect(client().ask('a', PAGE)).resolves.toEqual(WHOLE);
    expect(server).toHaveBeenCalledTimes(2);
  });
});

describe('a guide that is still being written', () => {
  it('takes each step once, in order', () => {
    const growing = new GrowingGuide();
    const taken = [0, 0, 2, 1].map((index) => growing.add({ index, ...step(`#s${String(index)}`) }));
    expect(taken).toEqual([true, false, false, true]);
    expect(growing.guide.steps.map(({ attachTo }) => attachTo.element)).toEqual(['#s0', '#s1']);
  });

  it('becomes the whole answer when that begins in the same way', () => {
    const growing = new GrowingGuide();
    const { guide } = growing;
    growing.add({ index: 0, ...step('#a') });
    expect(growing.becomes(WHOLE)).toBe(true);
    expect(guide).toMatchObject({ tour_id: 't1', steps: WHOLE.steps });
    expect(growing.add({ index: 2, ...step('#c') })).toBe(false);
  });

  it.each([
    ['another element', answer(step('#z'))],
    ['other words', answer(step('#a', 'Autre.'))],
    ['no steps', answer()],
  ])('is another guide when the answer has %s', (_, final) => {
    const growing = new GrowingGuide();
    growing.add({ index: 0, ...step('#a') });
    expect(growing.becomes(final)).toBe(false);
    expect(growing.guide.tour_id).toBeNull();
  });

  it('that was never begun is no guide', () => {
    expect(new GrowingGuide().becomes(WHOLE)).toBe(false);
  });
});
