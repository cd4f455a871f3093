// SQL that restores which files entities have.
import type { Queryable } from '../../../platform/queryable.ts';
import type { ContentHash, Kept } from '../storage/object-store.ts';

export async function hasNoFiles(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ empty: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM artifact.stored_object) AND NOT EXISTS (SELECT FROM artifact.artifact_entity) AS empty`,
  );
  return rows[0]?.empty === true;
}

/** Size of the content that an archive has to have; null for content that it does not name, or that was evicted. */
export async function sizeNamed(db: Queryable, hash: ContentHash): Promise<number | null> {
  const { rows } = await db.query<{ size: number }>(
    'SELECT size::float8 AS size FROM artifact.stored_object WHERE hash = $1 AND evicted_at IS NULL',
    [hash],
  );
  return rows[0]?.size ?? null;
}

/** How many contents an archive has to have. */
export async function countNamed(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM artifact.stored_object WHERE evicted_at IS NULL',
  );
  return rows[0]?.n ?? 0;
}

/** A file of no entity, or without a record of its content; null where there is none. */
export async function strayFile(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ which: string }>(
    `SELECT x.entity_id || ' ' || x.field AS which FROM artifact.artifact_entity x
     WHERE NOT EXISTS (SELECT FROM metadata.entity e WHERE e.id = x.entity_id)
       OR NOT EXISTS (SELECT FROM artifact.stored_object o WHERE o.hash = x.hash) LIMIT 1`,
  );
  return rows[0]?.which ?? null;
}

/** Contents that an archive holds, as lines of JSON. */
export const CONTENTS = `SELECT row_to_json(t)::text AS line FROM (SELECT o.hash, o.size FROM artifact.stored_object o
  WHERE o.evicted_at IS NULL AND EXISTS (SELECT FROM artifact.artifact_entity x WHERE x.hash = o.hash) ORDER BY o.hash COLLATE "C") t`;

export const keptOf = (line: string): Kept => JSON.parse(line) as Kept; // as CONTENTS makes it
