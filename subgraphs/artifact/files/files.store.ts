// SQL of the stored files and of the entities that refer to them.
import { instantSql, type Queryable } from '../../../platform/queryable.ts';

export interface StoredFile {
  readonly hash: string;
  readonly size: number;
  readonly mediaType: string | null;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly evictedAt: string | null;
}

const COLUMNS = `o.hash, o.size::float8 AS size, o.media_type AS "mediaType", ${instantSql('o.created_at')} AS "createdAt",
  ${instantSql('o.last_used_at')} AS "lastUsedAt", ${instantSql('o.evicted_at')} AS "evictedAt"`;

export async function findFile(db: Queryable, hash: string): Promise<StoredFile | null> {
  const { rows } = await db.query<StoredFile>(
    `SELECT ${COLUMNS} FROM artifact.stored_object o WHERE o.hash = $1`,
    [hash],
  );
  return rows[0] ?? null;
}

export interface FileOfEntity extends StoredFile {
  readonly entityId: string;
  readonly field: string;
  readonly name: string | null;
}

/** The files of each of the entities, with the field of each, in order of the fields' names. */
export async function listFilesOfEntities(
  db: Queryable,
  entityIds: readonly string[],
): Promise<FileOfEntity[]> {
  const { rows } = await db.query<FileOfEntity>(
    `SELECT x.entity_id AS "entityId", x.field, x.name, ${COLUMNS} FROM artifact.artifact_entity x JOIN artifact.stored_object o ON o.hash = x.hash
     WHERE x.entity_id = ANY($1::text[]) ORDER BY x.entity_id, x.field`,
    [entityIds],
  );
  return rows;
}
