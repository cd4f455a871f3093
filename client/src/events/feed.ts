// Subscribes to the change feed: provenance events over server-sent events, with automatic reconnection.
import type { CallOptions } from '../call-options.ts';
import type { Core } from '../core.ts';
import { AdapterError } from '../errors/errors.ts';
import type { MetadataError } from '../errors/metadata-error.ts';
import { RateLimitedError, UnauthorizedError, UnavailableError } from '../errors/transport-errors.ts';
import { EVENT, type EventType, type ProvenanceEvent } from '../history.ts';
import { pause, spread } from '../transport/retry.ts';
import type { Transport } from '../transport/transport.ts';
import { GoingAway, openStream } from './open-stream.ts';

export interface EventsOptions extends CallOptions {
  /** Limits the feed to events of these types. */
  readonly eventTypes?: readonly EventType[] | undefined;
  /** Limits the feed to events about entities of these types and their subtypes. */
  readonly entityTypes?: readonly string[] | undefined;
  /**
   * Limits the feed to events for which this CEL expression is true. Its variables are `event_type`,
   * `entity_id`, `entity_type`, `actor`, `timestamp`, `schema_version`, `context`, `payload`.
   */
  readonly filter?: string | undefined;
  /**
   * The token of the last event that was processed: the feed continues after it. `start` begins with the
   * first event of the log. Without it, the feed begins with the next event that is written.
   */
  readonly after?: string | undefined;
  /** Called when the connection is lost, before the feed reconnects. */
  readonly onDisconnect?: ((error: MetadataError) => void) | undefined;
}

/** An event and the token that marks its position in the log. */
export interface FeedItem {
  /**
   * Store it when the event has been processed: `after: token` continues from there, also in another process.
   */
  readonly token: string;
  readonly event: ProvenanceEvent;
}

export interface Events {
  /**
   * Returns provenance events as they are written, in the order of the log, each once: `for await (const {
   * token, event } of client.events())`. The feed has no end: leave the loop, or abort the signal. After a
   * lost connection, it reconnects and continues after the last event, without a limit on attempts.
   * @throws UnauthorizedError, ForbiddenError, ValidationError for an invalid filter or token;
   * UnavailableError where the first connection fails
   */
  events(options?: EventsOptions): AsyncIterable<FeedItem>;
  /**
   * Returns the token of the end of the log. A feed with `after` set to this token gets everything that is
   * written from now on, whenever it begins. Get the token, read the existing data, then start the feed.
   */
  eventToken(options?: CallOptions): Promise<string>;
}

const DOCUMENT = `subscription ProvenanceEvents($types: [String!], $entityTypes: [String!], $filter: String, $after: String) {
  item: provenanceEvents(types: $types, entityTypes: $entityTypes, filter: $filter, after: $after) { token event { ${EVENT} } } }`;

/**
 * Whether the feed may reconnect after this error. A feed that was open also reconnects after an
 * UnauthorizedError, because an expired credential has been renewed by then.
 */
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

/**
 * Reconnects without limit once the feed was open. The first connection is retried as often as the client's
 * `retries` allow.
 */
async function* follow(
  transport: Transport,
  { eventTypes, entityTypes, filter, after, onDisconnect, ...options }: EventsOptions,
): AsyncGenerator<FeedItem, void, undefined> {
  const { retry } = transport;
  // A start position is needed even if the connection is lost before the first event.
  let token = after ?? (await endToken(transport, options));
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
        const { item } = data as { item?: FeedItem }; // the type that the document selects
        if (item === undefined) throw new AdapterError('the feed contains data that is not an event');
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
    if (lost instanceof GoingAway) {
      // all of a server's readers are told at once, so they come over some time
      await pause(Math.min(lost.reconnectMs, retry.maxDelayMs) * (0.5 + Math.random()), options.signal);
      continue;
    }
    const asked = lost instanceof RateLimitedError ? (lost.retryAfterSeconds ?? 0) * 1000 : 0;
    await pause(Math.max(asked, spread(retry, ++failed)), options.signal);
  }
}

export const eventsOf = ({ transport }: Core): Events => ({
  eventToken: (options = {}) => endToken(transport, options),
  events: (options = {}) => ({ [Symbol.asyncIterator]: () => follow(transport, options) }),
});
