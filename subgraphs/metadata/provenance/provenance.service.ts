// The history of an entity, for callers that may see the entity.
import { invalid } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';
import type { Batched } from '../../../platform/keyed-loader.ts';
import { checkPage } from '../../../platform/paging.ts';
import { readMomentCursor, writeMomentCursor } from '../reading/moment-cursor.ts';
import type { Moment } from '../reading/timeline.ts';
import { type Cut, cut } from '../cut-list.ts';
import type { EventRow } from './event-row.ts';
import type { HistoryBounds, HistoryRange, RequestRange } from './history-range.ts';
import { isOneOf } from '../../../platform/is-one-of.ts';
import { EVENT_TYPES } from '../log/event-types.ts';
import { isUuid } from '../../../platform/uuid.ts';

export interface ProvenanceDeps {
  /** Whether the identity sees the entity, or saw it at some time up to the moment. */
  readonly everSeen: (entityId: string, identity: Identity, at: Moment) => Promise<boolean>;
  readonly historyOf: (
    entityIds: readonly string[],
    range: HistoryRange,
    identity: Identity,
  ) => Promise<EventRow[]>;
  readonly eventsOfRequest: (range: RequestRange, identity: Identity) => Promise<EventRow[]>;
}

export class ProvenanceService {
  readonly #deps: ProvenanceDeps;
  constructor(deps: ProvenanceDeps) {
    this.#deps = deps;
  }

  /**
   * Oldest first, of the times when the caller saw the entity; null if there are none.
   * @throws DomainError `validation_failed` for bounds, cursors and unknown types
   */
  async history(entityId: string, bounds: HistoryBounds, identity: Identity): Promise<Cut<EventRow> | null> {
    const range = rangeOf(bounds);
    if (entityId.includes('\u0000') || !(await this.#deps.everSeen(entityId, identity, range.at)))
      return null;
    return shown(await this.#deps.historyOf([entityId], range, identity), bounds, range);
  }

  /**
   * The events that a request wrote, oldest first, among those that the caller may see.
   * @throws DomainError `validation_failed` for bounds and cursors
   */
  async ofRequest(
    { cursor, ...asked }: Omit<RequestRange, 'after'> & { readonly cursor: string | null },
    identity: Identity,
  ): Promise<Cut<EventRow>> {
    checkPage({ limit: asked.limit, offset: 0 }, invalid);
    const { after } = readMomentCursor(cursor, null);
    const rows = isUuid(asked.requestId)
      ? await this.#deps.eventsOfRequest({ ...asked, limit: asked.limit + 1, after }, identity)
      : [];
    return cut(rows, asked.limit, (last) => writeMomentCursor(last.position, null));
  }

  /** The same for many entities whose visibility has been checked, by their ids. */
  async histories(
    entityIds: readonly string[],
    bounds: HistoryBounds,
    identity: Identity,
  ): Promise<ReadonlyMap<string, Cut<EventRow>>> {
    const range = rangeOf(bounds);
    const byId = new Map(entityIds.map((id): [string, EventRow[]] => [id, []]));
    for (const row of await this.#deps.historyOf(entityIds, range, identity))
      byId.get(row.entity_id ?? '')?.push(row);
    return new Map([...byId].map(([id, rows]) => [id, shown(rows, bounds, range)]));
  }
}

function rangeOf({ cursor, ...bounds }: HistoryBounds): HistoryRange {
  checkBounds(bounds);
  const { after, at } = readMomentCursor(cursor, bounds.at);
  return { ...bounds, limit: bounds.limit + 1, offset: cursor === null ? bounds.offset : 0, after, at };
}

const shown = (rows: readonly EventRow[], { limit }: HistoryBounds, { at }: HistoryRange): Cut<EventRow> =>
  cut(rows, limit, (last) => writeMomentCursor(last.position, at));

function checkBounds(bounds: Pick<HistoryBounds, 'limit' | 'offset' | 'eventTypes'>): void {
  checkPage(bounds, invalid);
  const unknown = bounds.eventTypes?.find((type) => !isOneOf(EVENT_TYPES, type));
  if (unknown !== undefined) throw invalid(`unknown event type: ${unknown}`, { known: EVENT_TYPES });
}

/** The slice of the resolvers' context. */
export interface ProvenanceSlice {
  readonly provenance: ProvenanceService;
  /** Histories of the operation's entities, batched. */
  readonly histories: Batched<HistoryBounds, Cut<EventRow>>;
}
