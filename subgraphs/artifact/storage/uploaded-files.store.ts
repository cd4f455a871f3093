// SQL of what callers have uploaded: until it expires they may read and attach it, and it is not evicted.
import type { Identity } from '../../../platform/identity.ts';
import { instantSql, projectList, type Queryable } from '../../../platform/queryable.ts';
import type { ContentHash, Kept } from './object-store.ts';
import { STORED_AGAIN } from './stored-objects.store.ts';

export interface NotedUpload extends Kept {
  readonly actor: string;
  /** The projects of the credential, as the column has them. */
  readonly uploads: string | null;
  readonly name: string | null;
  readonly mediaType: string | null;
  readonly seconds: number;
}

/** One more upload of the content, unless it is known. */
const MORE_UPLOADS = `projects = CASE WHEN f.expires_at <= now() THEN excluded.projects WHEN excluded.projects -> 0 IN (SELECT jsonb_array_elements(f.projects)) THEN f.projects ELSE f.projects || excluded.projects END`;

/** Records the content and who has uploaded it; waits for an eviction of it. */
export async function noteUploaded(
  db: Queryable,
  { hash, size, actor, uploads, name, mediaType, seconds }: NotedUpload,
): Promise<void> {
  await db.query(
    `INSERT INTO artifact.stored_object AS o (hash, size, media_type) VALUES ($1, $2, $3)
     ${STORED_AGAIN}`,
    [hash, size, mediaType],
  );
  await db.query(
    `INSERT INTO artifact.uploaded_file AS f (hash, actor, name, expires_at, projects) VALUES ($1, $2, $3, now() + $4 * interval '1 second', $5::jsonb)
     ON CONFLICT (hash, actor) DO UPDATE SET name = coalesce(excluded.name, f.name), uploaded_at = now(), expires_at = greatest(f.expires_at, excluded.expires_at), ${MORE_UPLOADS}`,
    [hash, actor, name, seconds, uploads],
  );
}

/**
 * Has the content stay at least so long for the actor, as if they had uploaded it; waits for an eviction.
 * Returns its size, and the name that it was uploaded with; null where it is not in the store.
 */
export async function reserve(
  db: Queryable,
  hash: ContentHash,
  { actor, projects }: Identity,
  seconds: number,
): Promise<{ readonly size: number; readonly name: string | null } | null> {
  const { rows } = await db.query<{ size: number; name: string | null }>(
    `WITH kept AS (SELECT hash, size FROM artifact.stored_object WHERE hash = $1 AND evicted_at IS NULL FOR KEY SHARE),
     noted AS (
       INSERT INTO artifact.uploaded_file AS f (hash, actor, expires_at, projects) SELECT hash, $2, now() + $3 * interval '1 second', $4::jsonb FROM kept
       ON CONFLICT (hash, actor) DO UPDATE SET expires_at = greatest(f.expires_at, excluded.expires_at), ${MORE_UPLOADS} RETURNING f.name)
     SELECT kept.size::float8 AS size, noted.name FROM kept, noted`,
    [hash, actor, seconds, JSON.stringify([projectList(projects)])],
  );
  return rows[0] ?? null;
}

/** The actor's own live upload of the content. */
export async function findUploaded(
  db: Queryable,
  hash: ContentHash,
  { actor, projects }: Identity,
): Promise<{ readonly name: string | null } | null> {
  const { rows } = await db.query<{ name: string | null }>(
    'SELECT name FROM artifact.uploaded_file WHERE hash = $1 AND actor = $2 AND expires_at > now() AND artifact.reaches($3::text[], projects)',
    [hash, actor, projectList(projects)],
  );
  return rows[0] ?? null;
}

export interface UploadedRow {
  readonly hash: ContentHash;
  readonly uploadedAt: string;
  readonly expiresAt: string;
  readonly isAttached: boolean;
}

/** The actor's live uploads, the newest first: a page of them. */
export async function listUploaded(
  db: Queryable,
  { actor, projects }: Identity,
  after: { readonly at: string; readonly hash: string } | null,
  limit: number,
): Promise<UploadedRow[]> {
  const { rows } = await db.query<UploadedRow>(
    `SELECT f.hash, ${instantSql('f.uploaded_at')} AS "uploadedAt", ${instantSql('f.expires_at')} AS "expiresAt",
       EXISTS (SELECT 1 FROM artifact.artifact_entity x WHERE x.hash = f.hash) AS "isAttached"
     FROM artifact.uploaded_file f WHERE f.actor = $1 AND f.expires_at > now() AND artifact.reaches($5::text[], f.projects)
       AND ($2::timestamptz IS NULL OR (f.uploaded_at, f.hash) < ($2::timestamptz, $3::text))
     ORDER BY f.uploaded_at DESC, f.hash DESC LIMIT $4`,
    [actor, after?.at ?? null, after?.hash ?? null, limit, projectList(projects)],
  );
  return rows;
}

/** Content with expired uploads that nobody is attaching. */
export async function listExpired(db: Queryable, limit: number): Promise<ContentHash[]> {
  const { rows } = await db.query<{ hash: ContentHash }>(
    `SELECT DISTINCT hash FROM artifact.uploaded_file f WHERE expires_at <= now()
       AND NOT EXISTS (SELECT 1 FROM artifact.attachment_under_way w WHERE w.hash = f.hash) ORDER BY hash LIMIT $1`,
    [limit],
  );
  return rows.map(({ hash }) => hash);
}

/** Forgets the content's expired uploads. */
export async function forgetExpired(db: Queryable, hash: ContentHash): Promise<void> {
  await db.query('DELETE FROM artifact.uploaded_file WHERE hash = $1 AND expires_at <= now()', [hash]);
}
