// The change feed: the growing log, read page by page at the reader's pace
// (docs/reference/metadata.md#change-feed).
import { TooMuchAtOnce } from '../../../platform/budget/bounded-query.ts';
import { compileTurn } from '../../../platform/cel/compile-turn.ts';
import { shareUnderWay } from '../../../platform/coalesce.ts';
import { invalid } from '../../../platform/errors.ts';
import { type Identity, visibilityKey } from '../../../platform/identity.ts';
import type { Notifier } from '../../../platform/notifier.ts';
import { sliced, Turn } from '../../../platform/turns.ts';
import { typeNamed } from '../entities/entity-writes.ts';
import { EVENT_TYPES } from '../log/event-types.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { eventFilter } from './event-filter.ts';
import { type LogMark, markAt, markOf, notReached, tokenOf } from './feed-token.ts';
import type { FeedEvent } from './feed-event.ts';
import { follower } from './feed-followers.ts';
import type { FeedPage, FeedPlace, FeedSelection } from './feed-page.ts';
import { isOneOf } from '../../../platform/is-one-of.ts';

export interface FeedDeps {
  readonly catalogue: () => SchemaCatalogue;
  /** Notified whenever the log has grown. */
  readonly notifier: Notifier;
  endOfLog(): Promise<LogMark>;
  /** Whether the log contains the mark's event. */
  holds(mark: LogMark): Promise<boolean>;
  /**
   * The event with both states in its payload if it only stores changes; one event at a time, since such
   * states are large.
   */
  whole(event: FeedEvent): FeedEvent | Promise<FeedEvent>;
  /** Null if the log no longer contains the event of the place. */
  pageOfLog(after: FeedPlace, selection: FeedSelection, identity: Identity): Promise<FeedPage | null>;
}

export interface FeedRequest {
  readonly types: readonly string[] | null;
  readonly entityTypes: readonly string[] | null;
  readonly filter: string | null;
  readonly after: string | null;
}
export interface FeedItem {
  readonly token: string;
  readonly event: FeedEvent;
}

const PAGE = 500;
/** Number of events of the first page: their size is not known yet. */
const FIRST_PAGE = 50;

function tooMuch(error: unknown): 'too much' {
  if (error instanceof TooMuchAtOnce) return 'too much';
  throw error;
}

export class ChangeFeedService {
  readonly #deps: FeedDeps;
  /**
   * Pages that are being read: readers at one place with equal rights share them, until a notification
   * arrives after the page was begun.
   */
  readonly #shared = shareUnderWay<FeedPage | null>();

  constructor(deps: FeedDeps) {
    this.#deps = deps;
  }

  /**
   * Yields every event after the token that the caller may see and that matches, in log order, without end. A
   * page is read when the one before has been consumed. Ends when the signal is aborted, and with an error if
   * the log loses an event that the reader has seen.
   * @throws DomainError `invalid_request` for an invalid token or one of another log, `validation_failed` for
   * unknown types and invalid filters
   */
  async open(
    request: FeedRequest,
    identity: Identity,
    signal: AbortSignal | undefined,
  ): Promise<AsyncIterableIterator<FeedItem>> {
    const unknown = request.types?.find((type) => !isOneOf(EVENT_TYPES, type));
    if (unknown !== undefined) throw invalid(`unknown event type: ${unknown}`, { known: EVENT_TYPES });
    const selection = {
      types: request.types,
      entityTypes: request.entityTypes?.flatMap((name) => this.#subtypes(name)) ?? null,
      limit: PAGE,
    };
    await compileTurn(request.filter);
    const matches = request.filter === null ? () => true : sliced(eventFilter(request.filter));
    const given = markOf(request.after, identity);
    if (given !== null && !(await this.#deps.holds(given))) throw notReached();
    return this.#follow(given ?? (await this.#deps.endOfLog()), selection, matches, identity, signal);
  }

  /** The token of the latest event. */
  async endToken(): Promise<string> {
    return tokenOf(await this.#deps.endOfLog());
  }

  async *#follow(
    start: LogMark,
    selection: FeedSelection,
    matches: (event: FeedEvent) => boolean | Promise<boolean>,
    identity: Identity,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<FeedItem, void, undefined> {
    const { notifier } = this.#deps;
    const waiter = await notifier.waiter(null, signal);
    const place = follower(start.position);
    const turn = new Turn(); // shared by all feeds, including filtering and rendering of their events
    let limit = FIRST_PAGE;
    try {
      for (let after: FeedPlace = { position: start.position, mark: start }; signal?.aborted !== true;) {
        const { count } = notifier;
        const page = await this.#page(count, after, { ...selection, limit }, identity).catch(tooMuch);
        if (page === 'too much') {
          limit = Math.max(1, Math.floor(limit / 8));
          continue;
        }
        if (page === null) throw notReached();
        limit = Math.min(selection.limit, limit * 2);
        for (const kept of page.events) {
          if (turn.isOver) await turn.next();
          const event = await this.#deps.whole(kept);
          if (await matches(event)) yield { token: tokenOf(markAt(event.position, event.id)), event };
        }
        after = page.next;
        place.at = Number(after.position);
        if (page.isEnd) await waiter.next();
      }
    } finally {
      place.leave();
      await waiter.release();
    }
  }

  #page(
    count: number,
    after: FeedPlace,
    selection: FeedSelection,
    identity: Identity,
  ): Promise<FeedPage | null> {
    const key = JSON.stringify([count, after, selection, visibilityKey(identity)]);
    return this.#shared(key, () => this.#deps.pageOfLog(after, selection, identity));
  }

  #subtypes(name: string): readonly string[] {
    return typeNamed(this.#deps.catalogue(), name).selfAndSubtypes;
  }
}

/** The slice of the resolvers' context. */
export interface ChangeFeedSlice {
  readonly changeFeed: ChangeFeedService;
}
