// SQL of the change feed: the log after a position, as a caller may see it.
import type { Pool } from 'pg';
import { readShared } from '../../../platform/budget/bounded-query.ts';
import type { Connections } from '../../../platform/database/transaction.ts';
import type { Identity } from '../../../platform/identity.ts';
import { instantSql } from '../../../platform/queryable.ts';
import { keepsChangesAlone, type Payload } from '../log/event-payload.ts';
import { withWholePayloads } from '../provenance/states-around.store.ts';
import { eventVisibility, payloadSeen } from '../provenance/visible-events.ts';
import type { FeedPage, FeedPlace, FeedSelection } from './feed-page.ts';
import { type LogMark, markAt, START } from './feed-token.ts';
import type { FeedEvent } from './feed-event.ts';

/** Maximum number of positions that one page scans: events without a reader are skipped in steps. */
const SPAN = 20_000;
/** Maximum bytes of a page of several events: each feed of each reader may hold one page. */
const MAX_PAGE_BYTES = 1024 * 1024;

/** The latest event, or the start of the log before any. */
export async function endOfLog(pool: Pool): Promise<LogMark> {
  const {
    rows: [last],
  } = await pool.query<{ position: string; id: string }>({
    name: 'feed-end',
    text: 'SELECT p.position::text, p.id::text FROM metadata.provenance p ORDER BY p.position DESC LIMIT 1',
  });
  return last === undefined ? START : markAt(last.position, last.id);
}

/** Whether the log contains the event of a mark, given as two parameters; the start always exists. */
const holdsSql = (position: string, tag: string): string =>
  `(${position}::bigint = 0 OR EXISTS (SELECT 1 FROM metadata.provenance m WHERE m.position = ${position}::bigint AND (${tag}::text IS NULL OR starts_with(m.id::text, ${tag}::text))))`;

export async function holds(pool: Pool, { position, tag }: LogMark): Promise<boolean> {
  const { rows } = await pool.query<{ holds: boolean }>({
    name: 'feed-holds',
    text: `SELECT ${holdsSql('$1', '$2')} AS holds`,
    values: [position, tag],
  });
  return rows[0]?.holds === true;
}

type Row = {
  readonly holds: boolean;
  readonly latest: string;
  readonly upto: string;
  readonly seen: string | null;
  readonly seen_id: string | null;
} & (FeedEvent | { readonly position: null });

/**
 * Events after a place, oldest first; null if the log does not contain the place's event. Writers commit in
 * the order of positions, so no event can appear before one that was read. An entity's events are visible to
 * those who could see it then, as in its history.
 * @throws TooMuchAtOnce if the page is too large; ask for fewer events
 */
export async function pageOfLog(
  pool: Connections,
  after: FeedPlace,
  { types, entityTypes, limit }: FeedSelection,
  identity: Pick<Identity, 'projects'>,
): Promise<FeedPage | null> {
  const params: unknown[] = [after.position, types, entityTypes, limit, after.mark.position, after.mark.tag];
  const { where, hidden } = eventVisibility(identity, params);
  const { rows } = await readShared<Row>(
    pool,
    {
      name: identity.projects === '*' ? 'feed-page' : 'feed-page-scoped',
      text: `WITH w AS MATERIALIZED (SELECT coalesce(max(position), 0) AS latest, least(coalesce(max(position), 0), $1::bigint + ${SPAN}) AS upto, ${holdsSql('$5', '$6')} AS holds FROM metadata.provenance)
      SELECT w.holds, w.latest::text, w.upto::text, s.position::text AS seen, s.id::text AS seen_id, p.position::text, p.id::text, p.event_type AS "eventType", p.entity_id AS "entityId", p.entity_type AS "entityType", p.actor,
        ${instantSql('p.timestamp')} AS timestamp, p.schema_version AS "schemaVersion", p.request_id::text AS "requestId", p.cause, p.context, p.payload, p.hidden
      FROM w LEFT JOIN LATERAL (SELECT l.position, l.id FROM metadata.provenance l WHERE l.position > $1::bigint AND l.position <= w.upto ORDER BY l.position DESC LIMIT 1) s ON true
      LEFT JOIN LATERAL (
        SELECT p.*, ${hidden} AS hidden FROM metadata.provenance p
        WHERE w.holds AND p.position > $1::bigint AND p.position <= w.upto AND ($2::text[] IS NULL OR p.event_type = ANY($2::text[])) AND ($3::text[] IS NULL OR p.entity_type = ANY($3::text[]))
          AND ${where}
        ORDER BY p.position LIMIT $4::int) p ON true
      ORDER BY p.position`,
      values: params,
    },
    limit === 1 ? Number.POSITIVE_INFINITY : MAX_PAGE_BYTES,
  );
  const [first] = rows;
  if (first?.holds !== true) return null;
  const events = rows.filter((row): row is Row & FeedEvent => row.position !== null);
  const last = events.length === limit ? events.at(-1) : undefined;
  if (last)
    return { events, next: { position: last.position, mark: markAt(last.position, last.id) }, isEnd: false };
  const position = BigInt(first.upto) > BigInt(after.position) ? first.upto : after.position;
  const mark = first.seen === null || first.seen_id === null ? after.mark : markAt(first.seen, first.seen_id);
  return { events, next: { position, mark }, isEnd: BigInt(position) >= BigInt(first.latest) };
}

/** The event with both states in its payload, as the reader may see them. */
export function withPayloadStates(pool: Pool, event: FeedEvent): FeedEvent | Promise<FeedEvent> {
  const seen = (made: FeedEvent): FeedEvent =>
    // The column's JSON is an object.
    made.hidden === null ? made : { ...made, payload: payloadSeen(made.payload as Payload, made.hidden) };
  if (!keepsChangesAlone(event.eventType, event.payload as Payload)) return seen(event);
  return withWholePayloads(pool, [event], ({ eventType }) => eventType).then(([made]) => seen(made ?? event));
}
