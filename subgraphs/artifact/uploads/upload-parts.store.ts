// SQL of receiving: who writes an upload, and the files that hold what has been received. Whoever claims an
// upload ends the claim before: what that one still receives is not recorded.
import type { Queryable } from '../../../platform/queryable.ts';
import type { Upload } from './uploads.store.ts';

/** A file, or the beginning of one, that holds a part of an upload. */
export interface Part {
  /** The place of its first byte in the whole. */
  readonly start: number;
  readonly length: number;
  /** Its name in the directory of uploads. */
  readonly file: string;
}

export interface Claim {
  readonly uploadId: string;
  /** Whoever writes; of one request. */
  readonly holder: string;
  /** Seconds until the upload expires, from the last that was received. */
  readonly seconds: number;
}

export interface Claimed {
  readonly length: number | null;
  /** The one before, if it has not let go: it may still write to its file. */
  readonly before: string | null;
}

/**
 * Begins to write at an offset; null where the upload is not there, complete or at another offset, and where
 * its length is another one.
 */
export async function claimUpload(
  db: Queryable,
  { uploadId, holder, seconds }: Claim,
  {
    actor,
    offset,
    length,
  }: { readonly actor: string; readonly offset: number; readonly length: number | null },
): Promise<Claimed | null> {
  const { rows } = await db.query<Claimed>(
    `WITH found AS (SELECT id, holder FROM artifact.upload WHERE id = $1 FOR UPDATE)
     UPDATE artifact.upload u SET holder = $2, touched_at = now(), expires_at = now() + $3 * interval '1 second', length = coalesce(u.length, $6)
     FROM found WHERE u.id = found.id AND u.actor = $4 AND u.received = $5 AND u.finished_at IS NULL AND u.fault IS NULL AND u.expires_at > now()
       AND (u.length IS NULL OR u.received < u.length) AND ($6::bigint IS NULL OR coalesce(u.length, $6) = $6)
     RETURNING u.length::float8 AS length, found.holder AS before`,
    [uploadId, holder, seconds, actor, offset, length],
  );
  return rows[0] ?? null;
}

/**
 * Begins to bring a complete upload to its end; false where it is not complete, at its end, or somebody is at
 * it and was so in the last `idleSeconds`.
 */
export async function claimComplete(
  db: Queryable,
  { uploadId, holder, seconds }: Claim,
  idleSeconds: number,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE artifact.upload SET holder = $2, touched_at = now(), expires_at = now() + $3 * interval '1 second'
     WHERE id = $1 AND received = length AND finished_at IS NULL AND fault IS NULL AND expires_at > now()
       AND (holder IS NULL OR touched_at < now() - $4 * interval '1 second')`,
    [uploadId, holder, seconds, idleSeconds],
  );
  return rowCount === 1;
}

/** Records what a claim has received; false where the claim has ended. */
export async function recordPart(
  db: Queryable,
  { uploadId, holder, seconds }: Claim,
  part: Part,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH held AS (
       UPDATE artifact.upload u SET received = $4::bigint + $5::bigint, touched_at = now(), expires_at = now() + $3 * interval '1 second'
       WHERE u.id = $1 AND u.holder = $2 RETURNING u.id)
     INSERT INTO artifact.upload_part (upload_id, start, length, file) SELECT id, $4, $5, $6 FROM held
     ON CONFLICT (upload_id, start) DO UPDATE SET length = excluded.length, file = excluded.file`,
    [uploadId, holder, seconds, part.start, part.length, part.file],
  );
  return rowCount === 1;
}

/** Says that the claim is still at work; false where it has ended. */
export async function touchClaim(db: Queryable, { uploadId, holder, seconds }: Claim): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE artifact.upload SET touched_at = now(), expires_at = now() + $3 * interval '1 second' WHERE id = $1 AND holder = $2`,
    [uploadId, holder, seconds],
  );
  return rowCount === 1;
}

/** Lets go: nothing is written any more. */
export async function releaseClaim(db: Queryable, { uploadId, holder }: Claim): Promise<void> {
  await db.query('UPDATE artifact.upload SET holder = NULL WHERE id = $1 AND holder = $2', [
    uploadId,
    holder,
  ]);
}

/** In their order. */
export async function listParts(db: Queryable, uploadId: string): Promise<Part[]> {
  const { rows } = await db.query<Part>(
    'SELECT start::float8 AS start, length::float8 AS length, file FROM artifact.upload_part WHERE upload_id = $1 ORDER BY start',
    [uploadId],
  );
  return rows;
}

/** Records the hash of the whole; false where the claim has ended. */
export async function recordHash(db: Queryable, { uploadId, holder }: Claim, hash: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'UPDATE artifact.upload SET hash = $3, touched_at = now() WHERE id = $1 AND holder = $2',
    [uploadId, holder, hash],
  );
  return rowCount === 1;
}

/** It is in the store, or refused: its parts are no longer needed. False where the claim has ended. */
export async function endUpload(
  db: Queryable,
  { uploadId, holder }: Claim,
  fault: string | null,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH done AS (
       UPDATE artifact.upload SET holder = NULL, touched_at = now(), fault = $3, finished_at = CASE WHEN $3::text IS NULL THEN now() END
       WHERE id = $1 AND holder = $2 RETURNING id)
     , parts AS (DELETE FROM artifact.upload_part p USING done WHERE p.upload_id = done.id)
     SELECT id FROM done`,
    [uploadId, holder, fault],
  );
  return rowCount === 1;
}

/** Removes it; returns the files that hold its parts. */
export async function deleteUpload(db: Queryable, id: string): Promise<string[]> {
  const { rows } = await db.query<{ file: string }>(
    `WITH parts AS (SELECT file FROM artifact.upload_part WHERE upload_id = $1), gone AS (DELETE FROM artifact.upload WHERE id = $1)
     SELECT file FROM parts`,
    [id],
  );
  return rows.map(({ file }) => file);
}

/** Uploads that have expired. */
export async function listExpiredUploads(db: Queryable, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'SELECT id FROM artifact.upload WHERE expires_at <= now() ORDER BY expires_at LIMIT $1',
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** Those of these uploads that exist. */
export async function existingUploads(db: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<Pick<Upload, 'id'>>(
    'SELECT id FROM artifact.upload WHERE id = ANY($1::text[])',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}
