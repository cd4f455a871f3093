// SQL of how often fields are filtered, and of the indexes that were created for them.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { DomainError } from '../../../platform/errors.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { RangedField } from '../filters/ranged-fields.ts';
import type { FieldUse } from './field-uses.ts';

/** Held while an index is created or dropped, in a session of its own: one at a time in a deployment. */
const INDEXING_LOCK = '4847307193528359'; // one below the lock of starts
/** In milliseconds. */
const STATEMENT_TIMEOUT_MS = 30_000;
const BETWEEN_TRIES = 200;

/** An index that was created automatically. */
export interface AutomaticIndex extends RangedField {
  readonly entityType: string;
  readonly uses: number;
  readonly entities: number;
}

/** Adds to the counts; a count restarts a day after it began. */
export async function addUses(db: Queryable, uses: readonly FieldUse[]): Promise<void> {
  await db.query(
    `INSERT INTO metadata.field_use AS u (entity_type, field, kind, uses)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) n(entity_type, field, kind, uses) ORDER BY entity_type, field, kind
     ON CONFLICT (entity_type, field, kind) DO UPDATE SET last_used = now(),
       uses = EXCLUDED.uses + CASE WHEN u.since < now() - interval '1 day' THEN 0 ELSE u.uses END,
       since = CASE WHEN u.since < now() - interval '1 day' THEN now() ELSE u.since END`,
    [
      uses.map((u) => u.entityType),
      uses.map((u) => u.field),
      uses.map((u) => u.kind),
      uses.map((u) => u.uses),
    ],
  );
}

/** Fields with at least `often` in today's counts and without an automatic index, most frequent first. */
export async function oftenUsed(db: Queryable, often: number): Promise<readonly FieldUse[]> {
  const { rows } = await db.query<FieldUse>(
    `SELECT entity_type AS "entityType", field, kind, uses::int FROM metadata.field_use u
     WHERE uses >= $1 AND since > now() - interval '1 day' AND NOT EXISTS (SELECT FROM metadata.field_index i WHERE i.field = u.field AND i.kind = u.kind)
     ORDER BY uses DESC, entity_type, field LIMIT 100`,
    [often],
  );
  return rows;
}

/** The number of entities of the types. */
export async function entitiesOf(db: Queryable, types: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ n: string | null }>(
    'SELECT sum(n) AS n FROM metadata.entity_count WHERE entity_type = ANY($1)',
    [types],
  );
  return Number(rows[0]?.n ?? 0);
}

export interface KeptIndex extends AutomaticIndex {
  readonly name: string;
  readonly madeAt: string;
  /** Whether it is usable: one that is being created, or whose creation was interrupted, is not. */
  readonly whole: boolean;
  /** Whether no filter has used it for a month. */
  readonly idle: boolean;
}

export async function automaticIndexes(db: Queryable): Promise<readonly KeptIndex[]> {
  const { rows } = await db.query<KeptIndex>(
    `SELECT field, kind, entity_type AS "entityType", uses::int, entities::int, metadata.field_index_name(field, kind) AS name, to_char(made_at, 'YYYY-MM-DD') AS "madeAt",
       metadata.field_index_state(field, kind) = 'whole' AS whole,
       made_at < now() - interval '30 days' AND NOT EXISTS (SELECT FROM metadata.field_use u WHERE u.field = i.field AND u.kind = i.kind AND u.last_used > now() - interval '30 days') AS idle
     FROM metadata.field_index i ORDER BY made_at, field`,
  );
  return rows;
}

/** Whether this session still holds the lock: it ends with the session. */
export async function takeIndexing(owner: pg.Client): Promise<boolean> {
  const { rows } = await owner.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1::bigint) AS taken', [
    INDEXING_LOCK,
  ]);
  return rows[0]?.taken === true;
}

/** Records that the index is wanted, so that another process can continue an interrupted creation. */
export async function wantIndex(
  db: Queryable,
  { field, kind, entityType, uses, entities }: AutomaticIndex,
): Promise<void> {
  await db.query(
    'INSERT INTO metadata.field_index (field, kind, entity_type, uses, entities) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING',
    [field, kind, entityType, uses, entities],
  );
}

export async function forgetIndex(db: Queryable, { field, kind }: RangedField): Promise<void> {
  await db.query('DELETE FROM metadata.field_index WHERE field = $1 AND kind = $2', [field, kind]);
}

/** Creates the index concurrently with writes, after dropping the remains of an interrupted creation. */
export async function makeIndex(owner: pg.Client, { field, kind }: RangedField): Promise<void> {
  const {
    rows: [row],
  } = await owner.query<{ state: string; name: string; index: string; statistics: string }>(
    `SELECT metadata.field_index_state($1, $2) AS state, metadata.field_index_name($1, $2) AS name, metadata.field_index_sql($1, $2, true) AS index, metadata.field_statistics_sql($1, $2) AS statistics`,
    [field, kind],
  );
  if (!row) throw new Error('a SELECT without FROM has one row');
  if (row.state === 'broken')
    await owner.query(`DROP INDEX CONCURRENTLY IF EXISTS metadata.${owner.escapeIdentifier(row.name)}`);
  await owner.query(row.index);
  await owner.query(row.statistics);
  await owner.query('ANALYZE metadata.entity');
}

export async function dropIndex(owner: pg.Client, name: string): Promise<void> {
  await owner.query(`DROP INDEX CONCURRENTLY IF EXISTS metadata.${owner.escapeIdentifier(name)}`);
  await owner.query(`DROP STATISTICS IF EXISTS metadata.${owner.escapeIdentifier(`${name}_values`)}`);
}

/**
 * Runs `work` while no index is created in the background, because they would wait for each other. Polls for
 * the lock: a transaction that waits for it in the database has a snapshot, and the creation of an index
 * waits for all snapshots.
 * @throws DomainError `conflict` if a creation takes long
 */
export async function besideNoIndexing<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + STATEMENT_TIMEOUT_MS; ; await sleep(BETWEEN_TRIES)) {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      const { rows } = await client.query<{ taken: boolean }>(
        'SELECT pg_try_advisory_lock($1::bigint) AS taken',
        [INDEXING_LOCK],
      );
      if (rows[0]?.taken === true) {
        try {
          return await work();
        } finally {
          await client
            .query('SELECT pg_advisory_unlock($1::bigint)', [INDEXING_LOCK])
            .catch((fault: unknown) => {
              broken = fault instanceof Error ? fault : new Error(String(fault));
            });
        }
      }
    } finally {
      client.release(broken);
    }
    if (Date.now() > until)
      throw new DomainError(
        'conflict',
        'an index is being created in the background: register the schema again in a few minutes',
      );
  }
}
