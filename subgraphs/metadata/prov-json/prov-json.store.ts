// SQL of a PROV document: all events of some entities.
import type { Queryable } from '../../../platform/queryable.ts';
import type { Identity } from '../../../platform/identity.ts';
import { instantSql } from '../../../platform/queryable.ts';
import { withWholePayloads } from '../provenance/states-around.store.ts';
import type { Moment } from '../reading/timeline.ts';
import { eventVisibility, type HiddenSide, payloadSeen } from '../provenance/visible-events.ts';
import type { LoggedEvent } from './prov-document.ts';

export interface EventRange {
  readonly limit: number;
  readonly at: Moment;
}

/** Events of the entities that the identity may see, in log order, up to the moment, at most `limit`. */
export async function eventsOf(
  pool: Queryable,
  entityIds: readonly string[],
  { limit, at }: EventRange,
  identity: Identity,
): Promise<LoggedEvent[]> {
  const values: unknown[] = [entityIds, limit, at];
  const { where, hidden } = eventVisibility(identity, values);
  const { rows } = await pool.query<LoggedEvent & { readonly position: string; readonly hidden: HiddenSide }>(
    `SELECT position::text, id::text, event_type AS type, entity_id AS "entityId", entity_type AS "entityType", actor, ${instantSql('timestamp')} AS timestamp,
       schema_version AS "schemaVersion", context, payload, ${hidden} AS hidden,
       CASE WHEN event_type = 'EntityUpdated' THEN coalesce((SELECT n.version FROM metadata.entity n WHERE n.id = p.entity_id AND n.state_event <= p.position),
         (SELECT h.version FROM metadata.entity_history h WHERE h.id = p.entity_id AND h.to_event > p.position ORDER BY h.to_event LIMIT 1)) END AS version
     FROM metadata.provenance p WHERE entity_id = ANY($1) AND ($3::bigint IS NULL OR p.position <= $3::bigint) AND ${where} ORDER BY p.position LIMIT $2`,
    values,
  );
  return (await withWholePayloads(pool, rows, ({ type }) => type)).map((event) =>
    event.hidden === null ? event : { ...event, payload: payloadSeen(event.payload, event.hidden) },
  );
}
