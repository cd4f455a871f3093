// SQL of a PROV document: the whole log of some entities.
import type { Pool } from 'pg';
import { instantSql } from '../../../platform/queryable.ts';
import type { LoggedEvent } from './prov-document.ts';

/** Events of the entities in the order of the log, `limit` at most. */
export async function eventsOf(pool: Pool, entityIds: readonly string[], limit: number): Promise<LoggedEvent[]> {
  const { rows } = await pool.query<LoggedEvent>(
    `SELECT id::text, event_type AS type, entity_id AS "entityId", entity_type AS "entityType", actor, ${instantSql('timestamp')} AS timestamp,
       schema_version AS "schemaVersion", context, payload
     FROM metadata.provenance WHERE entity_id = ANY($1) ORDER BY position LIMIT $2`,
    [entityIds, limit],
  );
  return rows;
}
