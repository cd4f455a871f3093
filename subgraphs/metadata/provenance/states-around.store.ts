// SQL that reads the states before and after events that store changes: the state before is a past state of
// the entity, the state after applies the changes.
import { parseJsonInTurns } from '../../../platform/budget/parse-json.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { Turn } from '../../../platform/turns.ts';
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

/** The same as values instead of texts. Others run meanwhile: there may be thousands of events, or states of megabytes. */
export async function withWholePayloads<
  Event extends { readonly position: string; readonly payload: unknown },
>(db: Queryable, events: readonly Event[], typeOf: (event: Event) => string): Promise<readonly Event[]> {
  // The column's JSON is an object.
  const lacking = new Set(
    events.filter((event) => keepsChangesAlone(typeOf(event), event.payload as Payload)),
  );
  if (lacking.size === 0) return events;
  const states = await statesAround(
    db,
    [...lacking].map((event) => event.position),
  );
  const turn = new Turn();
  const whole: Event[] = [];
  for (const event of events) {
    const around = lacking.has(event) ? states.get(event.position) : undefined;
    if (around === undefined) {
      whole.push(event);
      continue;
    }
    if (turn.isOver) await turn.next();
    const previous = await parseJsonInTurns(around.previous, undefined);
    const next = await parseJsonInTurns(around.next, undefined);
    // the column's JSON is an object, as above
    whole.push({ ...event, payload: wholePayload(event.payload as Payload, { previous, next }) });
  }
  return whole;
}
