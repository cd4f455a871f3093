// SQL of gateway.backup, as who backs up or restores writes it (docs/reference/backups.md#records). Whoever begins a record
// has the lock of backups until it is ended, so that one that is running while nobody has the lock was interrupted.
import type { Queryable } from '../../platform/queryable.ts';
import { INTERRUPTED } from '../../router/backups/backups.store.ts';
import type { BackupManifest } from './backup-format.ts';

export interface NewRecord {
  readonly id: string;
  readonly kind: string;
  readonly destination: string;
  readonly encrypted: boolean;
  readonly host: string;
  readonly actor: string;
}

/** Records that are kept: three years of a backup each day. */
const KEPT = 1000;

/** Records that any before has ended, forgets the oldest, and records that a backup has begun. */
export async function beginRecord(db: Queryable, record: NewRecord): Promise<void> {
  const { id, kind, destination, encrypted, host, actor } = record;
  await db.query(
    `UPDATE gateway.backup SET status = 'failed', error = '${INTERRUPTED}' WHERE status = 'running'`,
  );
  // the last one that completed is kept, however many have failed since
  await db.query(
    `DELETE FROM gateway.backup WHERE id IN (SELECT old.id FROM gateway.backup old ORDER BY old.started_at DESC, old.id DESC OFFSET $1)
       AND id IS DISTINCT FROM (SELECT last.id FROM gateway.backup last WHERE last.status = 'completed' AND last.kind <> 'archive' ORDER BY last.started_at DESC, last.id DESC LIMIT 1)`,
    [KEPT - 1],
  );
  await db.query(
    `INSERT INTO gateway.backup (id, kind, destination, encrypted, host, actor, started_at) VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp())`,
    [id, kind, destination, encrypted, host, actor],
  );
}

/** The rows, compressed, and the files of the store, whether they were copied or there already. */
const bytesOf = ({ sections, files }: BackupManifest): number =>
  sections.reduce((sum, { parts }) => parts.reduce((all, { bytes }) => all + bytes, sum), files.bytes);

/**
 * That a backup has ended; or that what was restored has come of it, which has its own record only as one that was
 * running: when it ended is known where it was made.
 */
export async function completeRecord(
  db: Queryable,
  manifest: BackupManifest,
  at: 'finished_at' | 'restored_at' = 'finished_at',
): Promise<void> {
  const { id, position, lost } = manifest;
  await db.query(
    `UPDATE gateway.backup SET status = 'completed', ${at} = clock_timestamp(), bytes = $2, position = $3, lost_files = $4 WHERE id = $1`,
    [id, bytesOf(manifest), position, lost.length],
  );
}

export async function failRecord(db: Queryable, id: string, error: string): Promise<void> {
  await db.query(
    `UPDATE gateway.backup SET status = 'failed', finished_at = clock_timestamp(), error = $2 WHERE id = $1 AND status = 'running'`,
    [id, error],
  );
}

interface RestoredState extends Omit<NewRecord, 'kind'> {
  /** The instant that was restored; null where nothing had been written. */
  readonly time: string | null;
  readonly position: string | null;
  readonly lost: number;
}

/** What a restored moment of an archive has no record of yet: this archive, up to the instant that was restored. */
export async function recordMoment(db: Queryable, state: RestoredState): Promise<void> {
  const { id, destination, encrypted, host, actor, time, position, lost } = state;
  await db.query(
    `INSERT INTO gateway.backup (id, kind, destination, encrypted, host, actor, status, started_at, position, lost_files, restored_at)
     VALUES ($1, 'archive', $2, $3, $4, $5, 'completed', coalesce($6::timestamptz, clock_timestamp()), $7, $8, clock_timestamp())`,
    [id, destination, encrypted, host, actor, time, position, lost],
  );
}
