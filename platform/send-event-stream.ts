// Sends results as server-sent events, in the distinct connections mode of «GraphQL over SSE», with
// heartbeats and back-pressure.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DomainError } from './errors.ts';
import type { Caller } from './identity.ts';
import type { RequestContext } from './request-context.ts';

export interface EventStreamOptions {
  /**
   * Aborted to end the stream on the server's side without a `complete` event; a field `retry` tells the
   * client to reconnect, and when.
   */
  readonly signal: AbortSignal;
  /** Milliseconds between comments, which keep proxies from closing an idle stream; default 12 s. */
  readonly heartbeatMs?: number;
}

/** One line of text, as the data of an event. */
export interface SentText {
  /** What a client that connects again sends as `Last-Event-ID`. */
  readonly id?: string;
  readonly text: string;
}

/** Sends the events of a stream as long as the caller may read them. @throws DomainError before any of them */
export type SendEvents = (
  ctx: RequestContext,
  stream: {
    readonly begin: (caller: Caller) => Promise<AsyncIterable<SentText>>;
    /** What tells of an error after the beginning. */
    readonly refusal: (error: DomainError) => string;
  },
) => Promise<void>;

/** Whether a request accepts only server-sent events. */
export const wantsEventStream = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  /^\s*text\/event-stream\s*(?:;|$)/i.test(headers.accept ?? '');

/**
 * Whether a request accepts server-sent events, possibly among other types. For endpoints whose response has
 * no other type.
 */
export const acceptsEventStream = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  (headers.accept ?? '')
    .split(',')
    .some(
      (range) =>
        /^\s*text\/event-stream\s*(?:;|$)/i.test(range) && !/;\s*q=0(?:\.0{0,3})?\s*(?:;|$)/i.test(range),
    );

export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const;
/** Milliseconds after which a client that does not read is disconnected. */
const STALLED = 60_000;
const GONE = Symbol('gone');
/**
 * Before a stream that this side ends: the protocol has no event for it, its clients refuse events of other
 * names, and all of them pass over comments and fields that they do not know.
 */
const RECONNECT = ': going away\nretry: 500\n\n';

/**
 * Resolves when the response accepts more data or is closed. A response that is blocked for too long is
 * destroyed.
 */
export function drained(res: ServerResponse): Promise<void> {
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
 * Sends one `next` event per text, then `complete`. The next text is requested once the connection has
 * accepted the previous one. Resolves when the stream has ended on either side. The texts must end on their
 * own when the client disconnects (through a signal), and must not reject.
 */
export async function sendEventStream(
  res: ServerResponse,
  texts: AsyncIterable<string | SentText>,
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
  res.writeHead(200, EVENT_STREAM_HEADERS);
  res.write(':\n\n'); // send the headers before the first event
  const heart = setInterval(() => {
    if (!res.writableNeedDrain) res.write(':\n\n');
  }, heartbeatMs);
  const iterator = texts[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await Promise.race([iterator.next(), gone]);
      if (step === GONE) {
        if (signal.aborted && !res.closed) res.write(RECONNECT);
        return;
      }
      if (step.done === true) {
        res.write('event: complete\ndata:\n\n');
        return;
      }
      const { id, text }: SentText = typeof step.value === 'string' ? { text: step.value } : step.value;
      // JSON text contains no line breaks
      if (!res.write(`event: next\n${id === undefined ? '' : `id: ${id}\n`}data: ${text}\n\n`))
        await drained(res);
    }
  } finally {
    clearInterval(heart);
    res.end();
    await iterator.return?.();
  }
}
