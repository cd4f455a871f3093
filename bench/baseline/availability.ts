// Hand-written availability change of many entities: one transaction, one statement that writes events,
// closed states, entities and counts.
import type pg from 'pg';

const SET = `
WITH t AS MATERIALIZED (SELECT * FROM metadata.entity WHERE id = ANY($1::text[]) AND entity_type = $2::text),
d AS (SELECT * FROM t WHERE is_available <> $3::boolean),
p AS (INSERT INTO metadata.provenance (event_type, entity_id, entity_type, actor, schema_version, payload)
  SELECT 'AvailabilityChanged', id, entity_type, 'user:bench', $4::text, json_build_object('previous', is_available, 'current', $3::boolean, 'reason', $5::text) FROM d
  RETURNING position, entity_id),
h AS (INSERT INTO metadata.entity_history (id, entity_type, data, version, is_available, project, first_event, from_event, to_event)
  SELECT d.id, d.entity_type, d.data, d.version, d.is_available, d.project, d.first_event, d.state_event, p.position FROM d JOIN p ON p.entity_id = d.id),
u AS (UPDATE metadata.entity e SET is_available = $3::boolean, state_event = p.position, last_event = p.position FROM p WHERE e.id = p.entity_id),
n AS (INSERT INTO metadata.entity_count AS c (entity_type, project, is_available, n)
  SELECT entity_type, coalesce(project, ''), available, sum(change) FROM (
    SELECT entity_type, project, is_available AS available, -1 AS change FROM d UNION ALL SELECT entity_type, project, NOT is_available, 1 FROM d) x
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (entity_type, project, is_available) DO UPDATE SET n = c.n + excluded.n)
SELECT count(*)::int AS found FROM t`;

export interface Availability {
  readonly type: string;
  readonly ids: readonly string[];
  readonly available: boolean;
  readonly reason: string;
}

export async function setAvailability(
  pool: pg.Pool,
  schemaVersion: string,
  { type, ids, available, reason }: Availability,
): Promise<{ updated: number; errors: never[] }> {
  const client = await pool.connect();
  try {
    // The statement's snapshot must be taken under the lock.
    await client.query('BEGIN; SELECT metadata.open_log()');
    const { rows } = await client.query<{ found: number }>({
      name: 'availability',
      text: SET,
      values: [ids, type, available, schemaVersion, reason],
    });
    await client.query('COMMIT');
    return { updated: rows[0]?.found ?? 0, errors: [] };
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
