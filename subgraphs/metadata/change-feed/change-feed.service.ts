// The change feed: the log as it grows, page by page at the reader's pace (spec 2 «Events» 2, which leaves push delivery open).
import { invalid } from '../../../platform/errors.ts';
import { type Identity, visibilityKey } from '../../../platform/identity.ts';
import { sliced } from '../../../platform/turns.ts';
import { EVENT_TYPES } from '../provenance/provenance.service.ts';
import type { SchemaCatalogue } from '../schemas/schema-catalogue.ts';
import { eventFilter } from './event-filter.ts';
import { positionOf, tokenAt } from './feed-token.ts';
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
}

export interface FeedSelection { readonly types: readonly string[] | null; readonly entityTypes: readonly string[] | null; readonly limit: number }

export interface FeedPage {
  readonly events: readonly FeedEvent[];
  /** Where the next page begins: everything up to here has been looked at. */
  readonly next: string;
  /** Whether that is the end of the log, as it was. */
  readonly isEnd: boolean;
}

export interface FeedPorts {
  readonly catalogue: () => SchemaCatalogue;
  readonly bell: LogBell;
  endOfLog(): Promise<string>;
  pageOfLog(after: string, selection: FeedSelection, identity: Identity): Promise<FeedPage>;
}

export interface FeedRequest { readonly types: readonly string[] | null; readonly entityTypes: readonly string[] | null; readonly filter: string | null; readonly after: string | null }
export interface FeedItem { readonly token: string; readonly event: FeedEvent }

const PAGE = 500;

export class ChangeFeedService {
  readonly #ports: FeedPorts;
  /** Pages that are being read: readers at one place with equal rights share them, as long as the bell has not rung since a page was begun. */
  readonly #reading = new Map<string, Promise<FeedPage>>();

  constructor(ports: FeedPorts) {
    this.#ports = ports;
  }

  /**
   * Every event after the token that the caller may see and that matches, in the order of the log, without end. A page is read when the
   * one before has been taken. Ends when the signal is aborted.
   * @throws DomainError `invalid_request` for a token that is none, `validation_failed` for unknown types and filters that cannot be
   */
  async open(request: FeedRequest, identity: Identity, signal: AbortSignal | undefined): Promise<AsyncIterableIterator<FeedItem>> {
    const unknown = request.types?.find((type) => !(EVENT_TYPES as readonly string[]).includes(type));
    if (unknown !== undefined) throw invalid(`unknown event type: ${unknown}`, { known: EVENT_TYPES });
    const selection = { types: request.types, entityTypes: request.entityTypes?.flatMap((name) => this.#subtypes(name)) ?? null, limit: PAGE };
    const matches = request.filter === null ? () => true : sliced(eventFilter(request.filter));
    const given = positionOf(request.after);
    return this.#follow(given ?? await this.#ports.endOfLog(), selection, matches, identity, signal);
  }

  /** The token of the latest event. */
  async endToken(): Promise<string> {
    return tokenAt(await this.#ports.endOfLog());
  }

  async* #follow(
    start: string, selection: FeedSelection, matches: (event: FeedEvent) => boolean | Promise<boolean>, identity: Identity, signal: AbortSignal | undefined,
  ): AsyncGenerator<FeedItem, void, undefined> {
    const { bell } = this.#ports;
    const release = await bell.hold();
    try {
      for (let after = start; signal?.aborted !== true;) {
        const { rung } = bell;
        const page = await this.#page(rung, after, selection, identity);
        for (const event of page.events) if (await matches(event)) yield { token: tokenAt(event.position), event };
        after = page.next;
        if (page.isEnd) await bell.wait(rung, signal);
      }
    } finally {
      await release();
    }
  }

  #page(rung: number, after: string, selection: FeedSelection, identity: Identity): Promise<FeedPage> {
    const key = JSON.stringify([rung, after, selection, visibilityKey(identity)]);
    let page = this.#reading.get(key);
    if (!page) {
      page = this.#ports.pageOfLog(after, selection, identity).finally(() => { this.#reading.delete(key); });
      this.#reading.set(key, page);
    }
    return page;
  }

  #subtypes(name: string): readonly string[] {
    const type = this.#ports.catalogue().get(name);
    if (!type) throw invalid(`unknown entity type: ${name}`, { entity_type: name });
    return type.selfAndSubtypes;
  }
}
