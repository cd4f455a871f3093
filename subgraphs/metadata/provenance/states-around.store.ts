// SQL that reads the states before and after events that store changes: the state before is a past state of
// the entity, the state after applies the changes.
import type { Queryable } from '../../../platform/queryable.ts';
import { keepsChangesAlone, type Payload, type StatesAround, wholePayload } from '../log/event-payload.ts';

/** JSON texts, by the positions of the events. */
export async function statesAround(
  db: Queryable,
  positions: readonly string[],
): Promise<ReadonlyMap<string, StatesAround<string>>> {
  const { rows } = await db.query<{ position: string } & StatesAround<string>>({
    name: 'provenance-states-around',
    text: `SELECT p.position::text, s.data::text AS previous, (s.data || (p.payload -> 'changes')::jsonb)::text AS next
      FROM metadata.provenance p CROSS JOIN LATERAL (
        SELECT coalesce(
          (SELECT h.data FROM metadata.entity_history h WHERE h.id = p.entity_id AND h.to_event >= p.position ORDER BY h.to_event LIMIT 1),
          (SELECT e.data FROM metadata.entity e WHERE e.id = p.entity_id)) AS data) s
      WHERE p.position = ANY($1::bigint[])`,
    values: [positions],
  });
  return new Map(rows.map(({ position, previous, next }) => [position, { previous, next }]));
}

/** The same as values instead of texts. */
export async function withWholePayloads<
  Event extends { readonly position: string; readonly payload: unknown },
>(db: Queryable, events: readonly Event[], typeOf: (event: Event) => string): Promise<readonly Event[]> {
  // The column's JSON is an object.
  const lacking = events.filter((event) => keepsChangesAlone(typeOf(event), event.payload as Payload));
  if (lacking.length === 0) return events;
  const states = await statesAround(
    db,
    lacking.map((event) => event.position),
  );
  return events.map((event) => {
    const around = states.get(event.position);
    return around === undefined || !lacking.includes(event)
      ? event
      : {
          ...event,
          // the column's JSON is an object
          payload: wholePayload(event.payload as Payload, {
            previous: JSON.parse(around.previous),
            next: JSON.parse(around.next),
          }),
        };
  });
}
