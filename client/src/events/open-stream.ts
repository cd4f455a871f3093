// Opens a GraphQL subscription as a stream of server-sent events (GraphQL over SSE, distinct connections) and
// reads its results.
import type { CallOptions } from '../call-options.ts';
import { AdapterError } from '../errors/errors.ts';
import { MetadataError } from '../errors/metadata-error.ts';
import { UnavailableError } from '../errors/transport-errors.ts';
import { readGraphql, readHttp } from '../transport/read-answer.ts';
import { explained, type Transport } from '../transport/transport.ts';
import { readEvents } from './read-sse.ts';

/**
 * Maximum time without data. The server sends a heartbeat every 12 seconds, so a longer silence means a lost
 * connection.
 */
const SILENCE_MS = 45_000;

/** The server ends the stream because it stops: another one, or itself in a moment, continues it. */
export class GoingAway extends UnavailableError {
  readonly reconnectMs: number;

  constructor(reconnectMs: number) {
    super('the server is going away', 'unknown');
    this.reconnectMs = reconnectMs;
  }
}

/** The stream's body, or the error. */
type Opened = { readonly body: ReadableStream<Uint8Array> } | { readonly error: MetadataError };

async function opened(response: Response, url: string): Promise<Opened> {
  if (
    response.ok &&
    response.body !== null &&
    response.headers.get('content-type')?.startsWith('text/event-stream') === true
  )
    return { body: response.body };
  const {
    faults: [fault],
  } = readGraphql(await readHttp(response), url);
  return {
    error:
      fault === undefined
        ? new AdapterError(`${url} does not return an event stream`)
        : explained(fault, undefined),
  };
}

/** @throws MetadataError */
async function connect(
  transport: Transport,
  body: string,
  { signal, timeoutMs = transport.timeoutMs }: CallOptions,
): Promise<ReadableStream<Uint8Array>> {
  const post = (headers: Record<string, string>): Promise<Opened> =>
    transport.fetch(
      { headers: { ...headers, accept: 'text/event-stream' }, body },
      { timeoutMs, signal },
      (response) => opened(response, transport.url),
    );
  const { headers, token } = await transport.headers(signal);
  let outcome = await post(headers);
  const renewed = 'error' in outcome ? await transport.renewed(token, outcome.error, signal) : undefined;
  if (renewed !== undefined) outcome = await post(renewed);
  if ('error' in outcome) throw outcome.error;
  return outcome.body;
}

/** Returns `data` of a result. @throws MetadataError for a result with errors */
function dataOf(text: string, url: string): unknown {
  const {
    data,
    faults: [fault],
  } = readGraphql(
    { status: 200, isRedirect: false, location: null, text, requestId: null, retryAfterSeconds: null },
    url,
  );
  if (fault !== undefined) throw explained(fault, undefined);
  return data;
}

/**
 * Returns the results of a subscription until the server completes it.
 * @throws MetadataError where it is rejected, fails or is lost, {@link GoingAway} where the server stops; the
 * signal's reason
 */
export async function* openStream(
  transport: Transport,
  body: string,
  options: CallOptions,
  onOpen: () => void,
): AsyncGenerator<unknown, void, undefined> {
  const { signal } = options;
  let reconnectMs: number | undefined;
  const events = readEvents(await connect(transport, body, options), {
    signal,
    silenceMs: SILENCE_MS,
    onRetry: (ms) => {
      reconnectMs = ms;
    },
  });
  onOpen();
  try {
    for await (const { event, data } of events) {
      if (event === 'complete') return;
      if (event === 'next') yield dataOf(data, transport.url);
    }
  } catch (error) {
    if (error instanceof MetadataError || signal?.aborted === true) throw error;
    throw new UnavailableError('the connection to the feed was lost', 'unknown', { cause: error });
  }
  signal?.throwIfAborted();
  if (reconnectMs !== undefined) throw new GoingAway(reconnectMs);
  throw new UnavailableError('the connection to the feed was lost', 'unknown');
}
