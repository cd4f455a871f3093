// SQL that reads the log: an entity's history, as values or as finished JSON text.
import type { Queryable } from '../../../platform/queryable.ts';
import type { Identity } from '../../../platform/identity.ts';
import { listed } from '../../../platform/prepared.ts';
import type { HistoryBounds } from './provenance.service.ts';
import { visibleEventSql } from './visible-events.ts';

export interface EventRow {
  readonly id: string;
  readonly event_type: string;
  readonly entity_id: string | null;
  readonly entity_type: string | null;
  readonly actor: string;
  readonly timestamp: string;
  readonly schema_version: string;
  /** JSON text, as it was written. */
  readonly context: string | null;
  readonly payload: string;
}

const asText = { getTypeParser: () => (value: unknown) => value };

/** Events of the entities that the identity may see, each entity's oldest first; the bounds hold for each entity. */
export async function historyOf(pool: Queryable, entityIds: readonly string[], { eventTypes, limit, offset, at }: HistoryBounds, identity: Identity): Promise<EventRow[]> {
  const values: unknown[] = [entityIds, eventTypes, limit, offset, at];
  const visible = visibleEventSql(identity, values);
  const { rows } = await pool.query<EventRow>({
    name: identity.projects === '*' ? 'provenance-history' : 'provenance-history-scoped',
    text: `SELECT p.id, p.event_type, p.entity_id, p.entity_type, p.actor, (p.timestamp AT TIME ZONE 'UTC')::text AS timestamp, p.schema_version, p.context, p.payload
      FROM unnest(${listed(1)}) WITH ORDINALITY k(id, n)
      CROSS JOIN LATERAL (SELECT * FROM metadata.provenance p WHERE p.entity_id = k.id AND ($2::text[] IS NULL OR p.event_type = ANY($2::text[]))
          AND ($5::bigint IS NULL OR p.position <= $5::bigint) AND ${visible}
        ORDER BY p.position LIMIT $3::bigint OFFSET $4::bigint) p
      ORDER BY k.n, p.position`,
    values,
    types: asText,
  });
  return rows;
}
