// SQL that restores the log and what follows from it, in one transaction of the owner.
import type { Queryable } from '../../../platform/queryable.ts';
import type { FieldIndex } from '../schema-model/marked-fields.ts';
import type { UniqueKey } from '../schema-model/unique-key.ts';

/** Takes the log's lock, so that nobody writes until the transaction ends. Whether nothing has been written before. */
export async function lockEmptyLog(db: Queryable): Promise<boolean> {
  await db.query('SELECT metadata.open_log()');
  const { rows } = await db.query<{ empty: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM metadata.provenance) AND NOT EXISTS (SELECT FROM metadata.schema_revision)
       AND NOT EXISTS (SELECT FROM metadata.entity) AND NOT EXISTS (SELECT FROM metadata.entity_history) AS empty`,
  );
  return rows[0]?.empty === true;
}

export async function storeUniques(
  db: Queryable,
  keys: readonly (UniqueKey & { readonly entityId: string })[],
): Promise<void> {
  if (keys.length === 0) return;
  await db.query(
    'INSERT INTO metadata.unique_value (scope_type, field, value_hash, entity_id) SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::text[])',
    [
      keys.map((k) => k.scope),
      keys.map((k) => k.field),
      keys.map((k) => k.hash),
      keys.map((k) => k.entityId),
    ],
  );
}

/** The counts of now, and those of the past at the intervals at which they would have been kept. */
export async function countEntities(db: Queryable, interval: number): Promise<void> {
  await db.query(`INSERT INTO metadata.entity_count (entity_type, project, is_available, n)
    SELECT entity_type, coalesce(project, ''), is_available, count(*) FROM metadata.entity GROUP BY 1, 2, 3`);
  await db.query(
    `WITH numbered AS (SELECT position, (row_number() OVER (ORDER BY position) - 1) / $1::bigint AS mark FROM metadata.provenance),
     marks AS (SELECT mark, max(position) AS position FROM numbered GROUP BY mark),
     change AS (
       SELECT from_event AS position, entity_type, coalesce(project, '') AS project, is_available, 1 AS n FROM metadata.entity_history
       UNION ALL SELECT to_event, entity_type, coalesce(project, ''), is_available, -1 FROM metadata.entity_history
       UNION ALL SELECT state_event, entity_type, coalesce(project, ''), is_available, 1 FROM metadata.entity),
     changed AS (SELECT b.mark, c.entity_type, c.project, c.is_available, sum(c.n) AS n FROM change c JOIN numbered b USING (position) GROUP BY 1, 2, 3, 4),
     kinds AS (SELECT DISTINCT entity_type, project, is_available FROM changed)
     INSERT INTO metadata.entity_count_at (position, entity_type, project, is_available, n)
     SELECT m.position, k.entity_type, k.project, k.is_available,
       coalesce(sum(c.n) OVER (PARTITION BY k.entity_type, k.project, k.is_available ORDER BY m.mark), 0)
     FROM marks m CROSS JOIN kinds k LEFT JOIN changed c USING (mark, entity_type, project, is_available)`,
    [interval],
  );
}

export async function countKinds(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM (SELECT entity_type, project, is_available FROM metadata.entity_history UNION SELECT entity_type, project, is_available FROM metadata.entity) k`,
  );
  return rows[0]?.n ?? 0;
}

/** The next event has the position and a time after the last one. */
export async function continueLog(db: Queryable): Promise<void> {
  await db.query(
    `SELECT setval(pg_get_serial_sequence('metadata.provenance', 'position'), max(position)),
       setval('metadata.event_clock', (extract(epoch FROM max(timestamp)) * 1000000)::bigint)
     FROM metadata.provenance HAVING max(position) IS NOT NULL`,
  );
}

export async function indexFields(db: Queryable, fields: readonly FieldIndex[]): Promise<void> {
  for (const { field, kind } of fields) await db.query('SELECT metadata.index_field($1, $2)', [field, kind]);
}

/** Servers over the same database read the schemas again, and those who follow the log go on. After the commit. */
export async function notifyRestored(db: Queryable, revision: number): Promise<void> {
  await db.query(`SELECT pg_notify('metadata_schema', $1), pg_notify('metadata_log', '')`, [
    String(revision),
  ]);
}

/** What the planner knows of tables that were empty a moment ago. */
export async function analyse(db: Queryable): Promise<void> {
  await db.query(
    'ANALYZE metadata.provenance, metadata.entity, metadata.entity_history, metadata.relationship, metadata.external_id',
  );
}
