// Entities in the metadata tables, for tests of columns, indexes and orders.
import type { Pool } from 'pg';

export interface StoredEntity {
  readonly id: string;
  readonly type?: string;
  readonly data: unknown;
  readonly available?: boolean;
  readonly project?: string;
}

/** Writes the entities in order, with one event each. */
export async function storeEntities(pool: Pool, entities: readonly StoredEntity[]): Promise<void> {
  await pool.query(
    `WITH given AS (SELECT * FROM unnest($1::text[], $2::text[], $3::jsonb[], $4::bool[], $5::text[]) WITH ORDINALITY AS g(id, type, data, available, project, n)),
     event AS (INSERT INTO metadata.provenance (event_type, entity_id, entity_type, actor, schema_version, payload)
       SELECT 'EntityCreated', id, type, 'user:test', '0', '{}' FROM given ORDER BY n RETURNING position, entity_id)
     INSERT INTO metadata.entity (id, entity_type, data, is_available, project, first_event, state_event, last_event)
       SELECT id, type, data, available, project, position, position, position FROM given JOIN event ON entity_id = id`,
    [
      entities.map((e) => e.id),
      entities.map((e) => e.type ?? 'sample'),
      entities.map((e) => JSON.stringify(e.data)),
      entities.map((e) => e.available ?? true),
      entities.map((e) => e.project ?? null),
    ],
  );
}

export const FROM =
  'FROM metadata.entity e JOIN metadata.provenance c ON c.position = e.first_event JOIN metadata.provenance u ON u.position = e.last_event';

/** Ids that match a condition, in the order of creation. */
export async function idsWhere(
  pool: Pool,
  condition: (params: unknown[]) => string,
): Promise<readonly string[]> {
  const params: unknown[] = [];
  const { rows } = await pool.query<{ id: string }>(
    `SELECT e.id ${FROM} WHERE ${condition(params)} ORDER BY e.first_event`,
    params,
  );
  return rows.map((row) => row.id);
}

/**
 * PostgreSQL's plan for a condition with sequential scans disabled: shows whether an index can answer it at
 * all.
 */
export async function planOf(pool: Pool, condition: (params: unknown[]) => string): Promise<string> {
  const params: unknown[] = [];
  const sql = `EXPLAIN SELECT e.id ${FROM} WHERE ${condition(params)}`;
  const client = await pool.connect();
  try {
    await client.query('BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off');
    const { rows } = await client.query<Record<'QUERY PLAN', string>>(sql, params);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
