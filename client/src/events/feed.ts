// The change feed: provenance events as they are written, over server-sent events, across lost connections.
import type { CallOptions } from '../call-options.ts';
import type { Core } from '../core.ts';
import { AdapterError } from '../errors/errors.ts';
import type { MetadataError } from '../errors/metadata-error.ts';
import { RateLimitedError, UnauthorizedError, UnavailableError } from '../errors/transport-errors.ts';
import { EVENT, type EventType, type ProvenanceEvent } from '../history.ts';
import { pause, spread } from '../transport/retry.ts';
import type { Transport } from '../transport/transport.ts';
import { openStream } from './open-stream.ts';

export interface EventsOptions extends CallOptions {
  /** Only events of these types. */
  readonly eventTypes?: readonly EventType[] | undefined;
  /** Only events about entities of these types and their subtypes. */
  readonly entityTypes?: readonly string[] | undefined;
  /** Only events for which this CEL expression is true: over `event_type`, `entity_id`, `entity_type`, `actor`, `timestamp`, `schema_version`, `context`, `payload`. */
  readonly filter?: string | undefined;
  /** The token of the last event that was dealt with: the feed goes on after it. `start` for the whole log; without it, what is written from now on. */
  readonly after?: string | undefined;
  /** Told when the connection is lost, before the feed goes on by itself. */
  readonly onDisconnect?: ((error: MetadataError) => void) | undefined;
}

/** An event, and the token that leads to what comes after it. */
export interface FeedItem {
  /** Keep it when the event has been dealt with: `after: token` goes on from there, in another process too. */
  readonly token: string;
  readonly event: ProvenanceEvent;
}

export interface Events {
  /**
   * Provenance events as they are written, in the order of the log, each once: `for await (const { token, event } of client.events())`. It has no end:
   * leave the loop, or abort the signal. A lost connection is made again after the last event, however long that takes.
   * @throws UnauthorizedError, ForbiddenError, ValidationError for a filter or a token that is none; UnavailableError where there is no server to begin with
   */
  events(options?: EventsOptions): AsyncIterable<FeedItem>;
  /** The token of the end of the log: a feed after it gets what is written from now on, whenever it begins. Take it, read what there is, then follow. */
  eventToken(options?: CallOptions): Promise<string>;
}

const DOCUMENT = `subscription ProvenanceEvents($types: [String!], $entityTypes: [String!], $filter: String, $after: String) {
  item: provenanceEvents(types: $types, entityTypes: $entityTypes, filter: $filter, after: $after) { token event { ${EVENT} } } }`;

/** Whether the feed may be opened again after it; of a feed that was open, a credential that has ended is replaced by then. */
const isTransient = (error: unknown, mayRenew: boolean): error is MetadataError =>
  error instanceof UnavailableError ||
  error instanceof RateLimitedError ||
  (mayRenew && error instanceof UnauthorizedError);

const endToken = async (transport: Transport, options: CallOptions): Promise<string> =>
  (
    await transport.send<{ provenanceToken: string }>(
      { document: 'query EndOfLog { provenanceToken }', safety: 'read' },
      {},
      options,
    )
  ).provenanceToken;

/** Once it was open, the connection is made again however long that takes; at the beginning, as often as the client's `retries` say. */
async function* follow(
  transport: Transport,
  { eventTypes, entityTypes, filter, after, onDisconnect, ...options }: EventsOptions,
): AsyncGenerator<FeedItem, void, undefined> {
  const { retry } = transport;
  let token = after ?? (await endToken(transport, options)); // a place to go on from, should the connection be lost before the first event
  let wasOpen = false;
  for (let failed = 0; ;) {
    let isOpen = false;
    let lost: MetadataError;
    try {
      for await (const data of openStream(
        transport,
        JSON.stringify({
          query: DOCUMENT,
          variables: { types: eventTypes, entityTypes, filter, after: token },
        }),
        options,
        () => {
          wasOpen = isOpen = true;
        },
      )) {
        const { item } = data as { item?: FeedItem }; // as the document asks
        if (item === undefined) throw new AdapterError('the feed sends something else than events');
        failed = 0;
        token = item.token;
        yield item;
      }
      lost = new UnavailableError('the server has ended the feed', 'unknown');
    } catch (error) {
      if (!isTransient(error, isOpen && transport.isRenewable)) throw error;
      lost = error;
    }
    if (!wasOpen && failed >= retry.attempts) throw lost;
    onDisconnect?.(lost);
    const asked = lost instanceof RateLimitedError ? (lost.retryAfterSeconds ?? 0) * 1000 : 0;
    await pause(Math.max(asked, spread(retry, ++failed)), options.signal);
  }
}

export const eventsOf = ({ transport }: Core): Events => ({
  eventToken: (options = {}) => endToken(transport, options),
  events: (options = {}) => ({ [Symbol.asyncIterator]: () => follow(transport, options) }),
});
