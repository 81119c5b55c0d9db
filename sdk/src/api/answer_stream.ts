import type { Answer, Step } from './wire';

/** Our server gives a sign of life every three seconds. */
const SILENT_FOR_MS = 10_000;

export const EVENT_STREAM = 'text/event-stream';

/** A step as it was made, and its place in the guide. */
export type StreamedStep = Step & { index: number };

/**
 * Reads an answer while it is made. Null when the stream ends, falls silent or breaks before the answer is there:
 * it can then be had as it always can. Steps are those of the answer only if it says so in the end.
 */
export async function readAnswer(
  response: Response,
  signal: AbortSignal | undefined,
  onStep: (step: StreamedStep) => void,
): Promise<Answer | null> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const stop = () => {
    reader?.cancel().catch(() => undefined);
  };
  let timer = setTimeout(stop, SILENT_FOR_MS);
  signal?.addEventListener('abort', stop);
  try {
    let rest = '';
    for (;;) {
      const { value } = (await reader?.read()) ?? {};
      if (value === undefined) {
        return null;
      }
      clearTimeout(timer);
      timer = setTimeout(stop, SILENT_FOR_MS);
      const events = (rest + value).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const [, name, data = ''] = /^event: (\w+)\ndata: (.*)/.exec(event) ?? [];
        if (name === 'step') {
          onStep(JSON.parse(data) as StreamedStep);
        } else if (name === 'answer') {
          return JSON.parse(data) as Answer;
        }
      }
    }
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    stop();
  }
}
