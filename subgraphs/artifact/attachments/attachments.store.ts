// SQL of files that callers attach to entities.
import type { Queryable } from '../../../platform/queryable.ts';
import type { EntityFile } from '../storage/stored-objects.store.ts';

export interface Attachment extends Omit<EntityFile, 'productionId' | 'source'> {
  readonly uploadedBy: string;
  readonly entityVersion: number;
}

/** An attachment whose entity is about to be written, or was written. */
export interface AttachmentUnderWay extends Omit<Attachment, 'entityVersion'> {
  readonly id: string;
  /** The version of the entity that it is written at. */
  readonly fromVersion: number;
}

/** One that may have been left. */
export interface AttachmentLeft extends AttachmentUnderWay {
  /** Since it began. */
  readonly seconds: number;
}

/** Records it before the entity is written, or that it is tried again at another version. */
export async function beginAttachment(
  db: Queryable,
  { id, entityId, entityType, field, hash, name, uploadedBy, fromVersion, givenIn }: AttachmentUnderWay,
): Promise<void> {
  await db.query(
    `INSERT INTO artifact.attachment_under_way (id, entity_id, entity_type, field, hash, name, uploaded_by, from_version, given_in) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (id) DO UPDATE SET entity_type = excluded.entity_type, from_version = excluded.from_version, given_in = excluded.given_in`,
    [id, entityId, entityType, field, hash, name, uploadedBy, fromVersion, givenIn],
  );
}

/** It was not written. */
export async function forgetAttachment(db: Queryable, id: string): Promise<void> {
  await db.query('DELETE FROM artifact.attachment_under_way WHERE id = $1', [id]);
}

/** The same, unless it is tried again at another version. */
export async function forgetAttempt(db: Queryable, id: string, fromVersion: number): Promise<void> {
  await db.query('DELETE FROM artifact.attachment_under_way WHERE id = $1 AND from_version = $2', [
    id,
    fromVersion,
  ]);
}

/** Those that nobody has looked at for longest; the next call begins with others. */
export async function listAttachmentsUnderWay(db: Queryable, limit: number): Promise<AttachmentLeft[]> {
  const { rows } = await db.query<AttachmentLeft>(
    `UPDATE artifact.attachment_under_way SET looked_at = now()
     WHERE id IN (SELECT id FROM artifact.attachment_under_way ORDER BY looked_at, id LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING id, entity_id AS "entityId", entity_type AS "entityType", field, hash, name, uploaded_by AS "uploadedBy", from_version AS "fromVersion", given_in AS "givenIn",
       extract(epoch FROM now() - began_at)::float8 AS seconds`,
    [limit],
  );
  return rows;
}

/**
 * Records that the entity holds the file, unless it was given another one in a later version. The file before,
 * and the same one that was given in another project, stay held, as `<field>@<version>`: past states of the entity name it. False where the
 * content is no longer there; waits for an eviction of it. With that the attachment is no longer under way.
 */
export async function noteAttachment(
  db: Queryable,
  id: string,
  { entityId, entityType, field, hash, name, uploadedBy, entityVersion, givenIn }: Attachment,
): Promise<boolean> {
  const { rows } = await db.query<{ is: boolean }>(
    `WITH kept AS (SELECT hash FROM artifact.stored_object WHERE hash = $4 AND evicted_at IS NULL FOR KEY SHARE),
     old AS MATERIALIZED (SELECT * FROM artifact.artifact_entity WHERE entity_id = $1 AND field = $3 FOR UPDATE),
     former AS (
       INSERT INTO artifact.artifact_entity (entity_id, entity_type, field, hash, name, uploaded_by, entity_version, given_in)
       SELECT entity_id, entity_type, field || '@' || entity_version, hash, name, uploaded_by, entity_version, given_in FROM old
       WHERE uploaded_by IS NOT NULL AND (hash <> $4 OR given_in IS DISTINCT FROM $8::text) AND entity_version < $7::int
       UNION ALL SELECT $1, $2, $3 || '@' || $7::int, kept.hash, $5, $6, $7::int, $8 FROM kept, old WHERE old.entity_version > $7::int AND old.hash <> $4
       ON CONFLICT (entity_id, field) DO NOTHING),
     ended AS (DELETE FROM artifact.attachment_under_way WHERE id = $9),
     noted AS (
       INSERT INTO artifact.artifact_entity AS x (entity_id, entity_type, field, hash, name, uploaded_by, entity_version, given_in)
       SELECT $1, $2, $3, kept.hash, $5, $6, $7::int, $8 FROM kept, (SELECT count(*) AS rows FROM old) AS looked WHERE looked.rows >= 0
       ON CONFLICT (entity_id, field) DO UPDATE SET entity_type = excluded.entity_type, hash = excluded.hash, name = excluded.name,
         production_id = NULL, source = NULL, uploaded_by = excluded.uploaded_by, entity_version = excluded.entity_version, given_in = excluded.given_in
       WHERE x.entity_version IS NULL OR x.entity_version <= excluded.entity_version)
     SELECT EXISTS (SELECT 1 FROM kept) AS is`,
    [entityId, entityType, field, hash, name, uploadedBy, entityVersion, givenIn, id],
  );
  return rows[0]?.is === true;
}
