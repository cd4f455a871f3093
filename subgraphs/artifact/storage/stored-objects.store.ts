// SQL of the artifact store's content and of the entities that refer to it.
import { LOCKS } from '../../../platform/database/advisory-locks.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { ContentHash, Kept } from './object-store.ts';

/** A file of an entity: the field that refers to the content. */
export interface EntityFile {
  readonly entityId: string;
  readonly entityType: string;
  readonly field: string;
  readonly hash: ContentHash;
  readonly productionId: string | null;
  /** Its name for tools. */
  readonly name: string | null;
  /** The address it was fetched from; null for a file that was made or uploaded here. */
  readonly source: string | null;
  /** Who has attached it; null for a file that was made or fetched. */
  readonly uploadedBy?: string | null;
  /** The version of the entity that it was attached with. */
  readonly entityVersion?: number | null;
  /** The project that the entity was in then: '' for none, null where unknown. */
  readonly givenIn: string | null;
}

/** Of a row of `artifact.artifact_entity`: what was attached, and what stands in a field of its own. */
export const IS_NAMED = `uploaded_by IS NOT NULL OR field !~ '[@/.[]'`;

export interface FoundFile extends EntityFile {
  /** The content's media type; null if unknown. */
  readonly mediaType: string | null;
  /** Whether the entity's data names it, in this or an earlier state; it does not name files within or beside fields. */
  readonly isNamed: boolean;
}

/** Content `o` that comes again: what was evicted in between has to be archived again, too. */
export const STORED_AGAIN =
  'ON CONFLICT (hash) DO UPDATE SET archived_at = CASE WHEN o.evicted_at IS NULL THEN o.archived_at END, evicted_at = NULL, last_used_at = now(), media_type = coalesce(o.media_type, excluded.media_type)';

/** Records new content and its use; the production that added it holds it from now on. */
export async function noteObject(
  db: Queryable,
  { hash, size }: Kept,
  mediaType: string | null,
  productionId: string,
): Promise<void> {
  await db.query(
    `WITH noted AS (
       INSERT INTO artifact.stored_object AS o (hash, size, media_type) VALUES ($1, $2, $3)
       ${STORED_AGAIN} RETURNING hash)
     INSERT INTO artifact.held_object (hash, production_id) SELECT hash, $4 FROM noted ON CONFLICT DO NOTHING`,
    [hash, size, mediaType, productionId],
  );
}

/**
 * Holds the content of these entities for a production while it is in progress. Waits for an eviction of it.
 * Returns the number of contents that it did not hold before.
 */
export async function holdObjectsOf(
  db: Queryable,
  productionId: string,
  entityIds: readonly string[],
): Promise<number> {
  const { rowCount } = await db.query(
    `INSERT INTO artifact.held_object (hash, production_id)
     SELECT DISTINCT x.hash, $1 FROM artifact.artifact_entity x JOIN artifact.stored_object o ON o.hash = x.hash
     WHERE x.entity_id = ANY($2::text[]) AND o.evicted_at IS NULL ORDER BY 1 ON CONFLICT DO NOTHING`,
    [productionId, entityIds],
  );
  return rowCount ?? 0;
}

export async function noteEntityFiles(db: Queryable, files: readonly EntityFile[]): Promise<void> {
  await db.query(
    `INSERT INTO artifact.artifact_entity (entity_id, entity_type, field, hash, production_id, name, source, uploaded_by, entity_version, given_in)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int[], $10::text[])
     ON CONFLICT (entity_id, field) DO UPDATE SET entity_type = excluded.entity_type, hash = excluded.hash, production_id = excluded.production_id, name = excluded.name, source = excluded.source,
       uploaded_by = excluded.uploaded_by, entity_version = excluded.entity_version, given_in = excluded.given_in`,
    [
      files.map((f) => f.entityId),
      files.map((f) => f.entityType),
      files.map((f) => f.field),
      files.map((f) => f.hash),
      files.map((f) => f.productionId),
      files.map((f) => f.name),
      files.map((f) => f.source),
      files.map((f) => f.uploadedBy ?? null),
      files.map((f) => f.entityVersion ?? null),
      files.map((f) => f.givenIn),
    ],
  );
}

/** Replaces the files of the entities. */
export async function replaceEntityFiles(
  db: Queryable,
  entityIds: readonly string[],
  files: readonly EntityFile[],
): Promise<void> {
  await noteEntityFiles(db, files);
  await db.query(
    `DELETE FROM artifact.artifact_entity WHERE entity_id = ANY($1::text[])
       AND NOT EXISTS (SELECT 1 FROM unnest($2::text[], $3::text[]) AS k(id, field) WHERE k.id = entity_id AND k.field = artifact_entity.field)`,
    [entityIds, files.map((file) => file.entityId), files.map((file) => file.field)],
  );
}

/** What an earlier attempt of the production made of these entities, and this one has not, was lost with it. */
export async function forgetOtherOutputs(
  db: Queryable,
  productionId: string,
  entityIds: readonly string[],
  files: readonly EntityFile[],
): Promise<void> {
  await db.query(
    `DELETE FROM artifact.production_output x WHERE x.production_id = $1 AND x.entity_id = ANY($2::text[])
       AND NOT EXISTS (SELECT 1 FROM unnest($3::text[], $4::text[]) AS k(id, field) WHERE k.id = x.entity_id AND k.field = x.field)`,
    [productionId, entityIds, files.map((file) => file.entityId), files.map((file) => file.field)],
  );
}

export async function findEntityFiles(db: Queryable, entityIds: readonly string[]): Promise<FoundFile[]> {
  const { rows } = await db.query<FoundFile>(
    `SELECT x.entity_id AS "entityId", coalesce(x.entity_type, '') AS "entityType", x.field, x.hash, x.production_id AS "productionId", x.name, x.source, x.uploaded_by AS "uploadedBy", x.entity_version AS "entityVersion", x.given_in AS "givenIn", (${IS_NAMED}) AS "isNamed", o.media_type AS "mediaType"
     FROM artifact.artifact_entity x LEFT JOIN artifact.stored_object o ON o.hash = x.hash WHERE x.entity_id = ANY($1::text[]) ORDER BY x.entity_id, x.field`,
    [entityIds],
  );
  return rows;
}

/** Records a use; locked rows are skipped, because they are being evicted or updated. */
export async function touchObjects(db: Queryable, hashes: readonly ContentHash[]): Promise<void> {
  await db.query(
    `UPDATE artifact.stored_object SET last_used_at = now() WHERE hash IN (
       SELECT hash FROM artifact.stored_object WHERE hash = ANY($1::text[]) AND evicted_at IS NULL FOR UPDATE SKIP LOCKED)`,
    [hashes],
  );
}

/** Records that content was sent, once a minute: a file is read in many parts. */
export async function noteServed(db: Queryable, hash: ContentHash): Promise<void> {
  await db.query(
    `UPDATE artifact.stored_object SET last_used_at = now() WHERE hash IN (
       SELECT hash FROM artifact.stored_object WHERE hash = $1 AND evicted_at IS NULL AND last_used_at < now() - interval '1 minute' FOR UPDATE SKIP LOCKED)`,
    [hash],
  );
}

export interface EvictionFilter {
  readonly hash: ContentHash | null;
  /** Unused for this many seconds. */
  readonly unusedSeconds: number | null;
  /** Only referred to by entities of this type. */
  readonly entityType: string | null;
}

export async function isKnownObject(db: Queryable, hash: ContentHash): Promise<boolean> {
  const { rows } = await db.query('SELECT 1 FROM artifact.stored_object WHERE hash = $1', [hash]);
  return rows.length === 1;
}

/** A hold counts while its production, or one that waits for that one, is in progress. */
export const COUNTS = `EXISTS (SELECT 1 FROM artifact.production p WHERE p.id = h.production_id AND (p.status IN ('queued', 'running') OR EXISTS (
  SELECT 1 FROM artifact.production_waiter w JOIN artifact.production q ON q.id = substr(w.waiter, length('production:') + 1)
  WHERE w.production_id = p.id AND w.waiter LIKE 'production:%' AND q.status IN ('queued', 'running'))))`;

/**
 * It was uploaded, so nobody can make it again: it is only evicted by its hash.
 */
export const UPLOADED = `(EXISTS (SELECT 1 FROM artifact.attachment_under_way w WHERE w.hash = o.hash)
  OR EXISTS (SELECT 1 FROM artifact.uploaded_file f WHERE f.hash = o.hash AND f.expires_at > now())
  OR EXISTS (SELECT 1 FROM artifact.artifact_entity x WHERE x.hash = o.hash AND x.uploaded_by IS NOT NULL))`;

/** A condition over `o`, for the filter's hash, seconds without use and type in the first three parameters. */
export const EVICTABLE = `o.evicted_at IS NULL AND ($1::text IS NULL OR o.hash = $1)
       AND ($2::float8 IS NULL OR o.last_used_at < now() - $2 * interval '1 second')
       AND ($3::text IS NULL OR (EXISTS (SELECT 1 FROM artifact.artifact_entity x WHERE x.hash = o.hash AND x.entity_type = $3)
         AND NOT EXISTS (SELECT 1 FROM artifact.artifact_entity x WHERE x.hash = o.hash AND x.entity_type IS DISTINCT FROM $3)))
       AND ($1::text IS NOT NULL OR NOT ${UPLOADED})
       AND NOT EXISTS (SELECT 1 FROM artifact.held_object h WHERE h.hash = o.hash AND ${COUNTS})`;

/** Existing content that may be evicted and is not held, by its hash. */
export async function listEvictable(
  db: Queryable,
  { hash, unusedSeconds, entityType }: EvictionFilter,
  after: ContentHash | null,
  limit: number,
): Promise<Kept[]> {
  const { rows } = await db.query<Kept>(
    `SELECT o.hash, o.size::float8 AS size FROM artifact.stored_object o
     WHERE ${EVICTABLE}
       AND ($4::text IS NULL OR o.hash > $4) ORDER BY o.hash LIMIT $5`,
    [hash, unusedSeconds, entityType, after, limit],
  );
  return rows;
}

/** Matching content that is kept, with its users. */
export interface LeftObject extends Kept {
  /** Productions in progress that need it or have made it. */
  readonly heldBy: readonly string[];
  /** Types of other entities that refer to it; '' for an unknown type. */
  readonly sharedWith: readonly string[];
  /** Whether it was uploaded, and so is only evicted by its hash. */
  readonly isUploaded: boolean;
}

/** Content that matches the filter but is not in {@link listEvictable}, by its hash, and its total number. */
export async function listLeft(
  db: Queryable,
  { hash, unusedSeconds, entityType }: EvictionFilter,
  limit: number,
): Promise<{ readonly left: readonly LeftObject[]; readonly total: number }> {
  const { rows } = await db.query<LeftObject & { readonly total: number }>(
    `SELECT l.hash, l.size::float8 AS size, l.held AS "heldBy", l.shared AS "sharedWith", l.uploaded AS "isUploaded", (count(*) OVER ())::int AS total FROM (
       SELECT o.hash, o.size, ARRAY(SELECT h.production_id FROM artifact.held_object h WHERE h.hash = o.hash AND ${COUNTS} ORDER BY 1) AS held,
         ARRAY(SELECT DISTINCT coalesce(x.entity_type, '') FROM artifact.artifact_entity x WHERE $3::text IS NOT NULL AND x.hash = o.hash AND x.entity_type IS DISTINCT FROM $3 ORDER BY 1) AS shared,
         ($1::text IS NULL AND ${UPLOADED}) AS uploaded
       FROM artifact.stored_object o
       WHERE o.evicted_at IS NULL AND ($1::text IS NULL OR o.hash = $1) AND ($2::float8 IS NULL OR o.last_used_at < now() - $2 * interval '1 second')
         AND ($3::text IS NULL OR EXISTS (SELECT 1 FROM artifact.artifact_entity x WHERE x.hash = o.hash AND x.entity_type = $3))) AS l
     WHERE cardinality(l.held) > 0 OR cardinality(l.shared) > 0 OR l.uploaded ORDER BY l.hash LIMIT $4`,
    [hash, unusedSeconds, entityType, limit],
  );
  return { left: rows.map(({ total: _, ...left }) => left), total: rows[0]?.total ?? 0 };
}

/**
 * Locks the content until the transaction ends, so that nobody begins to hold or add it; earlier holds are
 * visible to the next statement.
 */
export async function lockObject(db: Queryable, hash: ContentHash): Promise<void> {
  await db.query('SELECT 1 FROM artifact.stored_object WHERE hash = $1 FOR UPDATE', [hash]);
}

/**
 * What keeps content from being removed until the transaction ends: a backup under way has yet to copy what its moment of
 * the database names, and keeps this from beginning; it waits for what has begun. Where the write-ahead log is archived,
 * the content must be, too, if it is sound: what is not cannot be.
 */
export async function keptFor(db: Queryable, hash: ContentHash): Promise<'backup' | 'archive' | null> {
  const { rows } = await db.query<{ kept: 'backup' | 'archive' | null }>(
    `SELECT CASE WHEN NOT pg_try_advisory_xact_lock_shared($1) THEN 'backup'
       WHEN EXISTS (SELECT FROM artifact.stored_object WHERE hash = $3 AND archived_at IS NOT NULL) THEN NULL
       WHEN NOT pg_try_advisory_xact_lock_shared($2) THEN 'archive' END AS kept`,
    [LOCKS.backup, LOCKS.archive, hash],
  );
  return rows[0]?.kept ?? null;
}

/** Whether nobody needs the content: no entity, no production under way, nobody who has just uploaded it. */
export async function isUnused(db: Queryable, hash: ContentHash): Promise<boolean> {
  const { rows } = await db.query<{ unused: boolean }>(
    `SELECT NOT EXISTS (SELECT 1 FROM artifact.artifact_entity x WHERE x.hash = $1)
       AND NOT EXISTS (SELECT 1 FROM artifact.uploaded_file f WHERE f.hash = $1 AND f.expires_at > now())
       AND NOT EXISTS (SELECT 1 FROM artifact.attachment_under_way w WHERE w.hash = $1)
       AND NOT EXISTS (SELECT 1 FROM artifact.held_object h WHERE h.hash = $1 AND ${COUNTS}) AS unused`,
    [hash],
  );
  return rows[0]?.unused === true;
}

/** Deletes holds that no longer count. */
export async function forgetHolds(db: Queryable): Promise<void> {
  await db.query(`DELETE FROM artifact.held_object h WHERE NOT ${COUNTS}`);
}

/** Entities whose own content it is: not those that only had it fetched, or had it before. */
export async function entitiesBackedBy(
  db: Queryable,
  hash: ContentHash,
): Promise<{ entityId: string; entityType: string }[]> {
  const { rows } = await db.query<{ entityId: string; entityType: string }>(
    `SELECT DISTINCT entity_id AS "entityId", entity_type AS "entityType" FROM artifact.artifact_entity
     WHERE hash = $1 AND source IS NULL AND entity_type IS NOT NULL AND field !~ '@[0-9]+$' ORDER BY 1`,
    [hash],
  );
  return rows;
}

export async function markEvicted(db: Queryable, hash: ContentHash): Promise<void> {
  await db.query('UPDATE artifact.stored_object SET evicted_at = now() WHERE hash = $1', [hash]);
}

/** Content that should exist, by its hash. */
export async function listObjects(db: Queryable, after: ContentHash | null, limit: number): Promise<Kept[]> {
  const { rows } = await db.query<Kept>(
    'SELECT hash, size::float8 AS size FROM artifact.stored_object WHERE evicted_at IS NULL AND ($1::text IS NULL OR hash > $1) ORDER BY hash LIMIT $2',
    [after, limit],
  );
  return rows;
}
