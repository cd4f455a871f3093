// SQL of the stored files and of the entities that refer to them.
import { instantSql, type Queryable } from '../../../platform/queryable.ts';
import { IS_NAMED } from '../storage/stored-objects.store.ts';

export interface StoredFile {
  readonly hash: string;
  readonly size: number;
  readonly mediaType: string | null;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly evictedAt: string | null;
  /** In the entity that the file was found by. */
  readonly field?: string;
  readonly name?: string | null;
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
  /** The address that it was fetched from; null for a file that was made or uploaded here. */
  readonly source: string | null;
  /** Whether the entity's data names it, in this or an earlier state; it does not name files within or beside fields. */
  readonly isNamed: boolean;
  /** The project that the entity was in when it got the file: '' for none, null where unknown. */
  readonly givenIn: string | null;
}

/** The files of each of the entities, with the field of each, in order of the fields' names. */
export async function listFilesOfEntities(
  db: Queryable,
  entityIds: readonly string[],
): Promise<FileOfEntity[]> {
  const { rows } = await db.query<FileOfEntity>(
    `SELECT x.entity_id AS "entityId", x.field, x.name, x.source, x.given_in AS "givenIn", (${IS_NAMED}) AS "isNamed", ${COLUMNS} FROM artifact.artifact_entity x JOIN artifact.stored_object o ON o.hash = x.hash
     WHERE x.entity_id = ANY($1::text[]) ORDER BY x.entity_id, x.field`,
    [entityIds],
  );
  return rows;
}

export interface Holder {
  readonly entityId: string;
  readonly name: string | null;
  /** Whether a state of its data names the file. */
  readonly isNamed: boolean;
  /** Addresses that it was fetched from. */
  readonly sources: readonly string[];
  /** Projects that it was in when it got the file, as in {@link FileOfEntity}. */
  readonly givenIn: readonly (string | null)[];
}

/** Entities that hold a file, by their ids: a page of them. */
export async function listHolders(
  db: Queryable,
  hash: string,
  after: string,
  limit: number,
): Promise<Holder[]> {
  const { rows } = await db.query<Holder>(
    `SELECT entity_id AS "entityId", min(name) AS name, bool_and(${IS_NAMED}) AS "isNamed",
       coalesce(array_agg(DISTINCT source) FILTER (WHERE source IS NOT NULL), '{}') AS sources, array_agg(DISTINCT given_in) AS "givenIn" FROM artifact.artifact_entity
     WHERE hash = $1 AND entity_id > $2 GROUP BY entity_id ORDER BY entity_id LIMIT $3`,
    [hash, after, limit],
  );
  return rows;
}
