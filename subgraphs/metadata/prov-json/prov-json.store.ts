// SQL of a PROV document: the whole log of some entities.
import type { Pool } from 'pg';
import type { Identity } from '../../../platform/identity.ts';
import { instantSql } from '../../../platform/queryable.ts';
import { withWholePayloads } from '../provenance/states-around.store.ts';
import { visibleEventSql } from '../provenance/visible-events.ts';
import type { LoggedEvent } from './prov-document.ts';

/** Events of the entities that the identity may see, in the order of the log, `limit` at most. */
export async function eventsOf(pool: Pool, entityIds: readonly string[], limit: number, identity: Identity): Promise<LoggedEvent[]> {
  const values: unknown[] = [entityIds, limit];
  const { rows } = await pool.query<LoggedEvent & { readonly position: string }>(
    `SELECT position::text, id::text, event_type AS type, entity_id AS "entityId", entity_type AS "entityType", actor, ${instantSql('timestamp')} AS timestamp,
       schema_version AS "schemaVersion", context, payload
     FROM metadata.provenance p WHERE entity_id = ANY($1) AND ${visibleEventSql(identity, values)} ORDER BY p.position LIMIT $2`,
    values,
  );
  return (await withWholePayloads(pool, rows, ({ type }) => type)).slice();
}
