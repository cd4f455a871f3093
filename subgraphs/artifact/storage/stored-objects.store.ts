// SQL of what the artifact store holds and of the entities that it is kept for.
import type { Queryable } from '../../../platform/queryable.ts';
import type { ContentHash, Kept } from './object-store.ts';

/** A file of an entity: which field points to which content. */
export interface EntityFile {
  readonly entityId: string;
  readonly entityType: string;
  readonly field: string;
  readonly hash: ContentHash;
  readonly productionId: string | null;
  /** What tools may call it. */
  readonly name: string | null;
  /** Where it was fetched from; null for what a production made. */
  readonly source: string | null;
}

/** Notes content that is in the store, and is used now. */
export async function noteObject(db: Queryable, { hash, size }: Kept, mediaType: string | null): Promise<void> {
  await db.query(
    `INSERT INTO artifact.stored_object AS o (hash, size, media_type) VALUES ($1, $2, $3)
     ON CONFLICT (hash) DO UPDATE SET evicted_at = NULL, last_used_at = now(), media_type = coalesce(o.media_type, excluded.media_type)`,
    [hash, size, mediaType],
  );
}

export async function noteEntityFiles(db: Queryable, files: readonly EntityFile[]): Promise<void> {
  await db.query(
    `INSERT INTO artifact.artifact_entity (entity_id, entity_type, field, hash, production_id, name, source)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
     ON CONFLICT (entity_id, field) DO UPDATE SET entity_type = excluded.entity_type, hash = excluded.hash, production_id = excluded.production_id, name = excluded.name, source = excluded.source`,
    [files.map((f) => f.entityId), files.map((f) => f.entityType), files.map((f) => f.field), files.map((f) => f.hash), files.map((f) => f.productionId), files.map((f) => f.name), files.map((f) => f.source)],
  );
}

/** Forgets files of entities that were never made. */
export async function forgetEntityFiles(db: Queryable, entityIds: readonly string[]): Promise<void> {
  await db.query('DELETE FROM artifact.artifact_entity WHERE entity_id = ANY($1::text[])', [entityIds]);
}

export async function findEntityFiles(db: Queryable, entityIds: readonly string[]): Promise<EntityFile[]> {
  const { rows } = await db.query<EntityFile>(
    `SELECT entity_id AS "entityId", coalesce(entity_type, '') AS "entityType", field, hash, production_id AS "productionId", name, source
     FROM artifact.artifact_entity WHERE entity_id = ANY($1::text[]) ORDER BY entity_id, field`,
    [entityIds],
  );
  return rows;
}

export async function touchObjects(db: Queryable, hashes: readonly ContentHash[]): Promise<void> {
  await db.query('UPDATE artifact.stored_object SET last_used_at = now() WHERE hash = ANY($1::text[]) AND evicted_at IS NULL', [hashes]);
}

export interface EvictionFilter {
  readonly hash: ContentHash | null;
  /** Not used for this many seconds. */
  readonly unusedSeconds: number | null;
  /** Kept for entities of this type and no others. */
  readonly entityType: string | null;
}

export async function isKnownObject(db: Queryable, hash: ContentHash): Promise<boolean> {
  const { rows } = await db.query('SELECT 1 FROM artifact.stored_object WHERE hash = $1', [hash]);
  return rows.length === 1;
}

/** Content that is there and may go, least recently used first. */
export async function listEvictable(db: Queryable, { hash, unusedSeconds, entityType }: EvictionFilter, limit: number): Promise<Kept[]> {
  const { rows } = await db.query<Kept>(
    `SELECT o.hash, o.size::float8 AS size FROM artifact.stored_object o
     WHERE o.evicted_at IS NULL AND ($1::text IS NULL OR o.hash = $1)
       AND ($2::float8 IS NULL OR o.last_used_at < now() - $2 * interval '1 second')
       AND ($3::text IS NULL OR (EXISTS (SELECT 1 FROM artifact.artifact_entity x WHERE x.hash = o.hash AND x.entity_type = $3)
         AND NOT EXISTS (SELECT 1 FROM artifact.artifact_entity x WHERE x.hash = o.hash AND x.entity_type IS DISTINCT FROM $3)))
     ORDER BY o.last_used_at, o.hash LIMIT $4`,
    [hash, unusedSeconds, entityType, limit],
  );
  return rows;
}

/** Entities that are backed by the content: not those that only had theirs fetched. */
export async function entitiesBackedBy(db: Queryable, hash: ContentHash): Promise<{ entityId: string; entityType: string }[]> {
  const { rows } = await db.query<{ entityId: string; entityType: string }>(
    `SELECT DISTINCT entity_id AS "entityId", entity_type AS "entityType" FROM artifact.artifact_entity
     WHERE hash = $1 AND source IS NULL AND entity_type IS NOT NULL ORDER BY 1`,
    [hash],
  );
  return rows;
}

/** False where somebody else was faster. */
export async function markEvicted(db: Queryable, hash: ContentHash): Promise<boolean> {
  const { rowCount } = await db.query('UPDATE artifact.stored_object SET evicted_at = now() WHERE hash = $1 AND evicted_at IS NULL', [hash]);
  return rowCount === 1;
}

/** Content that should be there, by its hash. */
export async function listObjects(db: Queryable, after: ContentHash | null, limit: number): Promise<Kept[]> {
  const { rows } = await db.query<Kept>(
    'SELECT hash, size::float8 AS size FROM artifact.stored_object WHERE evicted_at IS NULL AND ($1::text IS NULL OR hash > $1) ORDER BY hash LIMIT $2', [after, limit]);
  return rows;
}
