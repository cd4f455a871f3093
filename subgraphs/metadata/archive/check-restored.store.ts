// SQL that finds what contradicts the log among what was restored: an archive whose hashes are right may still be forged,
// or made by a program with a fault.
import type { Queryable } from '../../../platform/queryable.ts';

/** One of `what` that is wrong, by its name or its position. */
export interface Contradiction {
  readonly what: string;
  readonly which: string;
}

interface Check {
  readonly what: string;
  /** A column `which`. */
  readonly sql: string;
}

/** All states of entities, with those before them. */
const CHAINED = `WITH state AS (
    SELECT id, entity_type, data, version, is_available, first_event, from_event, to_event FROM metadata.entity_history
    UNION ALL SELECT id, entity_type, data, version, is_available, first_event, state_event, NULL FROM metadata.entity),
  chained AS (SELECT s.*, lag(s.to_event) OVER w AS ended, lag(s.data) OVER w AS data_before, lag(s.version) OVER w AS version_before,
      lag(s.is_available) OVER w AS was_available
    FROM state s WINDOW w AS (PARTITION BY s.id ORDER BY s.from_event))`;

/** Whether the event of `p` ends a state: it changes the entity. */
const CHANGES = `(p.event_type = 'AvailabilityChanged' OR (p.event_type = 'EntityUpdated' AND json_array_length(p.payload -> 'changed_fields') > 0))`;
const FOREIGN_PROJECT = `project IS NOT NULL AND project NOT IN ('(platform)', '(unreadable)') AND (jsonb_typeof(data -> 'project') IS DISTINCT FROM 'string' OR project <> data ->> 'project')`;

const CHECKS: readonly Check[] = [
  {
    what: 'an event that is not later than the one before it',
    sql: `SELECT position::text AS which FROM (SELECT position, timestamp, lag(timestamp) OVER (ORDER BY position) AS before FROM metadata.provenance) p
      WHERE timestamp <= before OR position < 1 LIMIT 1`,
  },
  {
    what: 'two events with one id',
    sql: `SELECT id::text AS which FROM metadata.provenance GROUP BY id HAVING count(*) > 1 LIMIT 1`,
  },
  {
    what: 'an event of a type without a schema',
    sql: `SELECT position::text AS which FROM metadata.provenance p
      WHERE entity_type IS NOT NULL AND NOT EXISTS (SELECT FROM metadata.schema_revision s WHERE s.name = p.entity_type) LIMIT 1`,
  },
  {
    what: 'a schema without its event',
    sql: `SELECT s.revision::text AS which FROM metadata.schema_revision s LEFT JOIN metadata.provenance p ON p.position = s.created_event
      WHERE p.event_type IS DISTINCT FROM 'MigrationApplied' OR p.payload ->> 'to_version' IS DISTINCT FROM s.revision::text LIMIT 1`,
  },
  {
    what: 'an entity that is not the one of its events',
    sql: `SELECT coalesce(p.id, e.id) AS which
      FROM (SELECT entity_id AS id, min(position) AS first, max(position) AS last, min(entity_type) AS type, max(entity_type) AS other
        FROM metadata.provenance WHERE entity_id IS NOT NULL GROUP BY entity_id) p FULL JOIN metadata.entity e ON e.id = p.id
      WHERE (e.first_event, e.last_event, e.entity_type, e.entity_type) IS DISTINCT FROM (p.first, p.last, p.type, p.other) LIMIT 1`,
  },
  {
    what: 'a state that does not follow from the events',
    sql: `${CHAINED} SELECT c.id AS which FROM chained c LEFT JOIN metadata.provenance p ON p.position = c.from_event JOIN metadata.entity e ON e.id = c.id
      WHERE p.entity_id IS DISTINCT FROM c.id OR c.entity_type <> e.entity_type OR c.first_event <> e.first_event OR c.to_event <= c.from_event
        OR c.from_event <> coalesce(c.ended, c.first_event) OR (c.ended IS NULL) <> (p.event_type = 'EntityCreated')
        OR CASE p.event_type
          WHEN 'EntityCreated' THEN (c.data, c.version, c.is_available) IS DISTINCT FROM ((p.payload -> 'initial_state')::jsonb, 1, true)
          WHEN 'EntityUpdated' THEN (c.data, c.version, c.is_available) IS DISTINCT FROM
            (coalesce((p.payload -> 'new_state')::jsonb, c.data_before || (p.payload -> 'changes')::jsonb),
             c.version_before + CASE WHEN ${CHANGES} THEN 1 ELSE 0 END, c.was_available)
          WHEN 'AvailabilityChanged' THEN (c.data, c.version, c.is_available) IS DISTINCT FROM (c.data_before, c.version_before, (p.payload ->> 'current')::boolean)
          ELSE (c.data, c.version, c.is_available) IS DISTINCT FROM (c.data_before, c.version_before, c.was_available) END LIMIT 1`,
  },
  {
    what: 'an entity without states, or a state without its entity',
    sql: `SELECT h.id AS which FROM metadata.entity_history h LEFT JOIN metadata.entity e ON e.id = h.id WHERE e.id IS NULL LIMIT 1`,
  },
  {
    what: 'a change that has ended no state',
    sql: `SELECT p.position::text AS which FROM metadata.provenance p LEFT JOIN metadata.entity_history h ON h.to_event = p.position
      WHERE ${CHANGES} AND h.id IS NULL LIMIT 1`,
  },
  {
    what: 'an entity of a project that its data do not name',
    sql: `SELECT id AS which FROM metadata.entity WHERE ${FOREIGN_PROJECT} UNION ALL SELECT id FROM metadata.entity_history WHERE ${FOREIGN_PROJECT} LIMIT 1`,
  },
  {
    what: 'a relationship that is not the one of its event',
    sql: `SELECT coalesce(r.created_event, p.position)::text AS which
      FROM (SELECT * FROM metadata.provenance WHERE event_type = 'RelationshipCreated') p FULL JOIN metadata.relationship r ON r.created_event = p.position
      WHERE (r.source_id, r.target_id, r.relationship_type, r.created_by, coalesce(r.metadata, '{}'))
        IS DISTINCT FROM (p.entity_id, p.payload ->> 'to_id', p.payload ->> 'relationship', p.actor, (p.payload -> 'properties')::jsonb) LIMIT 1`,
  },
  {
    what: 'a removed relationship that is not the one of its event',
    sql: `SELECT coalesce(r.removed_event, p.position)::text AS which
      FROM (SELECT * FROM metadata.provenance WHERE event_type = 'RelationshipRemoved') p
      FULL JOIN (SELECT * FROM metadata.relationship WHERE removed_event IS NOT NULL) r ON r.removed_event = p.position
      WHERE (r.source_id, r.source_id || '->' || r.target_id || ':' || r.relationship_type) IS DISTINCT FROM (p.entity_id, p.payload ->> 'relationship_id')
        OR r.removed_event <= r.created_event LIMIT 1`,
  },
  {
    what: 'an external id that is not the one of its event',
    sql: `SELECT coalesce(x.created_event, p.position)::text AS which
      FROM (SELECT * FROM metadata.provenance WHERE event_type = 'ExternalIdAdded') p FULL JOIN metadata.external_id x ON x.created_event = p.position
      WHERE (x.entity_id, x.id_type, x.external_id) IS DISTINCT FROM (p.entity_id, p.payload ->> 'system', p.payload ->> 'external_id')
        AND NOT EXISTS (SELECT FROM metadata.provenance s WHERE s.position = x.created_event AND s.event_type = 'ExternalIdSuperseded'
          AND (x.id::text, x.entity_id, x.id_type, x.external_id) = (s.payload ->> 'new_external_id_record_id', s.entity_id, s.payload ->> 'system', s.payload ->> 'new_value')) LIMIT 1`,
  },
  {
    what: 'a superseded external id that is not the one of its event',
    sql: `SELECT coalesce(x.superseded_event, p.position)::text AS which
      FROM (SELECT * FROM metadata.provenance WHERE event_type = 'ExternalIdSuperseded') p
      FULL JOIN (SELECT * FROM metadata.external_id WHERE superseded_event IS NOT NULL) x ON x.superseded_event = p.position
      WHERE (x.id::text, x.superseded_by::text, x.entity_id) IS DISTINCT FROM (p.payload ->> 'old_external_id_record_id', p.payload ->> 'new_external_id_record_id', p.entity_id)
        OR NOT EXISTS (SELECT FROM metadata.external_id n WHERE n.id = x.superseded_by) LIMIT 1`,
  },
];

/** The first that is found; null where everything follows from the log. */
export async function findContradiction(db: Queryable): Promise<Contradiction | null> {
  for (const { what, sql } of CHECKS) {
    const { rows } = await db.query<{ which: string }>(sql);
    if (rows[0] !== undefined) return { what, which: rows[0].which };
  }
  return null;
}

/** Whether the last event is later than the database's clock by more than that: nothing could be written after it. */
export async function endsInFuture(db: Queryable, aheadSeconds: number): Promise<boolean> {
  const { rows } = await db.query<{ future: boolean | null }>(
    `SELECT max(timestamp) > clock_timestamp() + $1 * interval '1 second' AS future FROM metadata.provenance`,
    [aheadSeconds],
  );
  return rows[0]?.future === true;
}

/** The last event, by which an archive is named. */
export async function lastEvent(
  db: Queryable,
): Promise<{ readonly position: string | null; readonly time: string | null }> {
  const { rows } = await db.query<{ position: string | null; time: string | null }>(
    `SELECT max(position)::text AS position, to_char(max(timestamp) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS time FROM metadata.provenance`,
  );
  return rows[0] ?? { position: null, time: null };
}
