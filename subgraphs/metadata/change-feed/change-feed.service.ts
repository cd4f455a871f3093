// The change feed: the log as it grows, page by page at the reader's pace (spec 2 «Events» 2, which leaves push delivery open).
import { invalid } from '../../../platform/errors.ts';
import { type Identity, visibilityKey } from '../../../platform/identity.ts';
import { sliced } from '../../../platform/turns.ts';
import { typeNamed } from '../entities/entity-writes.ts';
import { EVENT_TYPES } from '../provenance/provenance.service.ts';
import type { HiddenSide } from '../provenance/visible-events.ts';
import type { SchemaCatalogue } from '../schemas/schema-catalogue.ts';
import { eventFilter } from './event-filter.ts';
import { type LogMark, markAt, markOf, notReached, tokenOf } from './feed-token.ts';
import type { LogBell } from './log-bell.ts';

export interface FeedEvent {
  readonly position: string;
  readonly id: string;
  readonly eventType: string;
  /** Null, like the type, for events of the whole instance. */
  readonly entityId: string | null;
  readonly entityType: string | null;
  readonly actor: string;
  readonly timestamp: string;
  readonly schemaVersion: string;
  readonly context: unknown;
  readonly payload: unknown;
  /** Which state of a move its reader does not see. */
  readonly hidden: HiddenSide;
}

export interface FeedSelection {
  readonly types: readonly string[] | null;
  readonly entityTypes: readonly string[] | null;
  readonly limit: number;
}

export interface FeedPage {
  readonly events: readonly FeedEvent[];
  /** Where the next page begins: everything up to here has been looked at. */
  readonly next: FeedPlace;
  /** Whether that is the end of the log, as it was. */
  readonly isEnd: boolean;
}

/** How far a reader has looked, and the last event there. */
export interface FeedPlace {
  readonly position: string;
  readonly mark: LogMark;
}

export interface FeedPorts {
  readonly catalogue: () => SchemaCatalogue;
  readonly bell: LogBell;
  endOfLog(): Promise<LogMark>;
  /** Whether the log has the event of the mark. */
  holds(mark: LogMark): Promise<boolean>;
  /** The event with both states in its payload, where it keeps changes alone; one at a time, since such states are large. */
  whole(event: FeedEvent): FeedEvent | Promise<FeedEvent>;
  /** Null where the log has no longer the event that the place was made by. */
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

export class ChangeFeedService {
  readonly #ports: FeedPorts;
  /** Pages that are being read: readers at one place with equal rights share them, as long as the bell has not rung since a page was begun. */
  readonly #reading = new Map<string, Promise<FeedPage | null>>();

  constructor(ports: FeedPorts) {
    this.#ports = ports;
  }

  /**
   * Every event after the token that the caller may see and that matches, in the order of the log, without end. A page is read when the
   * one before has been taken. Ends when the signal is aborted, and with an error where the log loses what the reader has seen.
   * @throws DomainError `invalid_request` for a token that is none or not of this log, `validation_failed` for unknown types and filters that cannot be
   */
  async open(
    request: FeedRequest,
    identity: Identity,
    signal: AbortSignal | undefined,
  ): Promise<AsyncIterableIterator<FeedItem>> {
    const unknown = request.types?.find((type) => !(EVENT_TYPES as readonly string[]).includes(type));
    if (unknown !== undefined) throw invalid(`unknown event type: ${unknown}`, { known: EVENT_TYPES });
    const selection = {
      types: request.types,
      entityTypes: request.entityTypes?.flatMap((name) => this.#subtypes(name)) ?? null,
      limit: PAGE,
    };
    const matches = request.filter === null ? () => true : sliced(eventFilter(request.filter));
    const given = markOf(request.after);
    if (given !== null && !(await this.#ports.holds(given))) throw notReached();
    return this.#follow(given ?? (await this.#ports.endOfLog()), selection, matches, identity, signal);
  }

  /** The token of the latest event. */
  async endToken(): Promise<string> {
    return tokenOf(await this.#ports.endOfLog());
  }

  async *#follow(
    start: LogMark,
    selection: FeedSelection,
    matches: (event: FeedEvent) => boolean | Promise<boolean>,
    identity: Identity,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<FeedItem, void, undefined> {
    const { bell } = this.#ports;
    const release = await bell.hold();
    try {
      for (let after: FeedPlace = { position: start.position, mark: start }; signal?.aborted !== true;) {
        const { rung } = bell;
        const page = await this.#page(rung, after, selection, identity);
        if (page === null) throw notReached();
        for (const kept of page.events) {
          const event = await this.#ports.whole(kept);
          if (await matches(event)) yield { token: tokenOf(markAt(event.position, event.id)), event };
        }
        after = page.next;
        if (page.isEnd) await bell.wait(rung, signal);
      }
    } finally {
      await release();
    }
  }

  #page(
    rung: number,
    after: FeedPlace,
    selection: FeedSelection,
    identity: Identity,
  ): Promise<FeedPage | null> {
    const key = JSON.stringify([rung, after, selection, visibilityKey(identity)]);
    let page = this.#reading.get(key);
    if (!page) {
      page = this.#ports.pageOfLog(after, selection, identity).finally(() => {
        this.#reading.delete(key);
      });
      this.#reading.set(key, page);
    }
    return page;
  }

  #subtypes(name: string): readonly string[] {
    return typeNamed(this.#ports.catalogue(), name).selfAndSubtypes;
  }
}
