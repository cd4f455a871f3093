// SQL that reads the log: an entity's history, as values or as JSON text.
import { rowsAsText, type Queryable } from '../../../platform/queryable.ts';
import type { Identity } from '../../../platform/identity.ts';
import { listed } from '../../../platform/prepared.ts';
import type { Moment } from '../reading/timeline.ts';
import type { HistoryRange, RequestRange } from './history-range.ts';
import { keepsChanges, type Payload, wholePayloadText } from '../log/event-payload.ts';
import { statesAround } from './states-around.store.ts';
import { eventVisibility, everSeenSql, payloadSeen } from './visible-events.ts';
import type { EventRow } from './event-row.ts';

/** The columns of an event, whose row is `p`. */
const EVENT = `p.position, p.id, p.event_type, p.entity_id, p.entity_type, p.actor, (p.timestamp AT TIME ZONE 'UTC')::text AS timestamp, p.schema_version, p.request_id, p.cause, p.context, p.payload`;

/**
 * Events of the entities that the identity may see, each entity's oldest first; the bounds apply to each
 * entity.
 */
export async function historyOf(
  pool: Queryable,
  entityIds: readonly string[],
  { eventTypes, limit, offset, at, after }: HistoryRange,
  identity: Identity,
): Promise<EventRow[]> {
  const values: unknown[] = [entityIds, eventTypes, limit, offset, at, after];
  const { where, hidden } = eventVisibility(identity, values);
  const { rows } = await pool.query<EventRow>({
    name: identity.projects === '*' ? 'provenance-history' : 'provenance-history-scoped',
    text: `SELECT ${EVENT}, ${hidden} AS hidden
      FROM unnest(${listed(1)}) WITH ORDINALITY k(id, n)
      CROSS JOIN LATERAL (SELECT * FROM metadata.provenance p WHERE p.entity_id = k.id AND ($2::text[] IS NULL OR p.event_type = ANY($2::text[]))
          AND ($5::bigint IS NULL OR p.position <= $5::bigint) AND p.position > $6::bigint AND ${where}
        ORDER BY p.position LIMIT $3::bigint OFFSET $4::bigint) p
      ORDER BY k.n, p.position`,
    values,
    types: rowsAsText,
  });
  return seen(pool, rows);
}

/** Events that a request wrote, which the identity may see, oldest first. The times of the log rise with its positions. */
export async function eventsOfRequest(
  pool: Queryable,
  { requestId, since, until, limit, after }: RequestRange,
  identity: Identity,
): Promise<EventRow[]> {
  const values: unknown[] = [requestId, since, until, limit, after];
  const { where, hidden } = eventVisibility(identity, values);
  const { rows } = await pool.query<EventRow>({
    text: `SELECT ${EVENT}, ${hidden} AS hidden FROM metadata.provenance p
      WHERE p.timestamp >= $2::timestamptz AND ($3::timestamptz IS NULL OR p.timestamp < $3::timestamptz)
        AND p.request_id = $1::uuid AND p.position > $5::bigint AND ${where}
      ORDER BY p.timestamp LIMIT $4::bigint`,
    values,
    types: rowsAsText,
  });
  return seen(pool, rows);
}

/** With whole payloads, as far as they may be seen. */
async function seen(pool: Queryable, rows: EventRow[]): Promise<EventRow[]> {
  return (await whole(pool, rows)).map((row) =>
    row.hidden === null
      ? row
      : // the column's JSON is an object
        { ...row, payload: JSON.stringify(payloadSeen(JSON.parse(row.payload) as Payload, row.hidden)) },
  );
}

/** With both states in the payload of every update, also of events that store changes. */
async function whole(pool: Queryable, rows: EventRow[]): Promise<EventRow[]> {
  const positions = rows
    .filter((row) => keepsChanges(row.event_type, row.payload))
    .map((row) => row.position);
  if (positions.length === 0) return rows;
  const states = await statesAround(pool, positions);
  return rows.map((row) => {
    const around = states.get(row.position);
    return around === undefined ? row : { ...row, payload: wholePayloadText(row.payload, around) };
  });
}

/** Whether the identity sees the entity, or saw it at some time up to the moment. */
export async function everSeen(
  pool: Queryable,
  entityId: string,
  identity: Identity,
  at: Moment,
): Promise<boolean> {
  const values: unknown[] = [entityId, at];
  const { rows } = await pool.query<{ seen: boolean }>(everSeenSql(identity, values), values);
  return rows[0]?.seen === true;
}
