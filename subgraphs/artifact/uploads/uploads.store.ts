// SQL of uploads: what their actors see of them, and how many they may have.
import type { Identity, Projects } from '../../../platform/identity.ts';
import { instantSql, projectList, type Queryable } from '../../../platform/queryable.ts';

/** What an upload is created with. */
export interface NewUpload {
  readonly id: string;
  readonly actor: string;
  /** Of the credential; null for an upload of before. */
  readonly projects: Projects | null;
  /** Null until it is known. */
  readonly length: number | null;
  readonly expectedHash: string | null;
  readonly name: string | null;
  readonly mediaType: string | null;
  /** Where it is attached when it is complete; both or neither. */
  readonly entityId: string | null;
  readonly field: string | null;
  readonly context: string | null;
  /** Upload-Metadata, verbatim. */
  readonly metadata: string | null;
}

export interface Upload extends NewUpload {
  /** Bytes that are kept. */
  readonly offset: number;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Of the whole, once it is known. */
  readonly hash: string | null;
  readonly finishedAt: string | null;
  readonly fault: string | null;
}

/** Of how far the credential reaches that something is uploaded with: null is all projects. */
export const uploadsOf = (projects: Projects | null): string | null =>
  projects && JSON.stringify([projectList(projects)]);

const COLUMNS = `u.id, u.actor, CASE WHEN u.projects -> 0 = 'null' THEN '"*"' ELSE u.projects -> 0 END AS projects, u.length::float8 AS length, u.received::float8 AS "offset", u.expected_hash AS "expectedHash", u.name, u.media_type AS "mediaType",
  u.entity_id AS "entityId", u.field, u.context, u.metadata, u.hash, u.fault,
  ${instantSql('u.created_at')} AS "createdAt", ${instantSql('u.expires_at')} AS "expiresAt", ${instantSql('u.finished_at')} AS "finishedAt"`;

/** Has other transactions of the actor that take quota wait until this one ends. */
export async function lockQuota(db: Queryable, actor: string): Promise<void> {
  await db.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [QUOTA_LOCK, actor]);
}
const QUOTA_LOCK = 730_421;

export interface Used {
  /** Unfinished uploads. */
  readonly unfinished: number;
  /** Bytes of them, as far as they are known, and of uploaded files that no entity holds. */
  readonly bytes: number;
}

export async function quotaUsed(db: Queryable, actor: string): Promise<Used> {
  const { rows } = await db.query<Used>(
    `SELECT (SELECT count(*) FROM artifact.upload WHERE actor = $1 AND finished_at IS NULL AND fault IS NULL AND expires_at > now())::int AS unfinished,
       coalesce((SELECT sum(coalesce(length, received)) FROM artifact.upload WHERE actor = $1 AND finished_at IS NULL AND fault IS NULL AND expires_at > now()), 0)::float8
       + coalesce((SELECT sum(o.size) FROM artifact.uploaded_file f JOIN artifact.stored_object o ON o.hash = f.hash WHERE f.actor = $1 AND f.expires_at > now()
           AND NOT EXISTS (SELECT 1 FROM artifact.artifact_entity x WHERE x.hash = f.hash)), 0)::float8 AS bytes`,
    [actor],
  );
  return rows[0] ?? { unfinished: 0, bytes: 0 };
}

/** @param seconds until it expires */
export async function insertUpload(db: Queryable, upload: NewUpload, seconds: number): Promise<Upload> {
  const { rows } = await db.query<Upload>(
    `INSERT INTO artifact.upload AS u (id, actor, length, expected_hash, name, media_type, entity_id, field, context, metadata, expires_at, projects)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + $11 * interval '1 second', $12::jsonb) RETURNING ${COLUMNS}`,
    [
      upload.id,
      upload.actor,
      upload.length,
      upload.expectedHash,
      upload.name,
      upload.mediaType,
      upload.entityId,
      upload.field,
      upload.context,
      upload.metadata,
      seconds,
      uploadsOf(upload.projects),
    ],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the upload was not inserted');
  return row;
}

/** The actor's own; null for an unknown or expired one. */
export async function findUpload(
  db: Queryable,
  id: string,
  { actor, projects }: Identity,
): Promise<Upload | null> {
  const { rows } = await db.query<Upload>(
    `SELECT ${COLUMNS} FROM artifact.upload u WHERE u.id = $1 AND u.actor = $2 AND u.expires_at > now() AND artifact.reaches($3::text[], u.projects)`,
    [id, actor, projectList(projects)],
  );
  return rows[0] ?? null;
}

/** The actor's own, the newest first: a page of them. */
export async function listUploads(
  db: Queryable,
  { actor, projects }: Identity,
  after: { readonly at: string; readonly id: string } | null,
  limit: number,
): Promise<Upload[]> {
  const { rows } = await db.query<Upload>(
    `SELECT ${COLUMNS} FROM artifact.upload u WHERE u.actor = $1 AND u.expires_at > now() AND artifact.reaches($5::text[], u.projects)
       AND ($2::timestamptz IS NULL OR (u.created_at, u.id) < ($2::timestamptz, $3::text))
     ORDER BY u.created_at DESC, u.id DESC LIMIT $4`,
    [actor, after?.at ?? null, after?.id ?? null, limit, projectList(projects)],
  );
  return rows;
}
