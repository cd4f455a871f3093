// Sends results as server-sent events, as «GraphQL over SSE» has them (distinct connections mode): at the reader's pace, with heartbeats.
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface EventStreamOptions {
  /** Aborted to end the stream from this side, without a `complete`: whoever reads it may come again. */
  readonly signal: AbortSignal;
  /** Milliseconds between comments that keep proxies from closing a silent stream; 12 s unless given. */
  readonly heartbeatMs?: number;
}

/** Whether a request asks for server-sent events, and nothing else. */
export const wantsEventStream = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  /^\s*text\/event-stream\s*(?:;|$)/i.test(headers.accept ?? '');

/** Whether a request takes server-sent events, perhaps among other things: enough where the answer cannot be anything else. */
export const acceptsEventStream = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  (headers.accept ?? '')
    .split(',')
    .some(
      (range) =>
        /^\s*text\/event-stream\s*(?:;|$)/i.test(range) && !/;\s*q=0(?:\.0{0,3})?\s*(?:;|$)/i.test(range),
    );

/** Milliseconds that a reader may take to take what has been sent. */
const STALLED = 60_000;
const GONE = Symbol('gone');

/** Resolves when the response can take more, is closed, or has been stuck for too long; then it is cut off. */
function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => {
      res.destroy();
    }, STALLED);
    const done = (): void => {
      clearTimeout(late);
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}

/**
 * One `next` for each text, then `complete`. The next text is asked for when the connection has taken the one before. Resolves when the
 * stream is over, whoever ended it. The texts must end by themselves when the reader goes (a signal of their own), and may not reject.
 */
export async function sendEventStream(
  res: ServerResponse,
  texts: AsyncIterable<string>,
  { signal, heartbeatMs = 12_000 }: EventStreamOptions,
): Promise<void> {
  const gone = new Promise<typeof GONE>((resolve) => {
    const end = (): void => {
      resolve(GONE);
    };
    res.once('close', end);
    signal.addEventListener('abort', end, { once: true });
    if (res.closed || signal.aborted) end();
  });
  res.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  res.write(':\n\n'); // the headers are on their way, whenever the first event comes
  const heart = setInterval(() => {
    if (!res.writableNeedDrain) res.write(':\n\n');
  }, heartbeatMs);
  const iterator = texts[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await Promise.race([iterator.next(), gone]);
      if (step === GONE) return;
      if (step.done === true) {
        res.write('event: complete\ndata:\n\n');
        return;
      }
      if (!res.write(`event: next\ndata: ${step.value}\n\n`)) await drained(res); // JSON text has no line ends
    }
  } finally {
    clearInterval(heart);
    res.end();
    await iterator.return?.();
  }
}
