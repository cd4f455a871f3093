// SQL that reads gateway.backup, the newest first.
import { LOCKS } from '../../platform/database/advisory-locks.ts';
import { instantSql, type Queryable } from '../../platform/queryable.ts';

export interface BackupRow {
  readonly id: string;
  readonly kind: 'file' | 'directory' | 's3' | 'stream' | 'archive';
  readonly destination: string;
  readonly encrypted: boolean;
  readonly host: string;
  readonly actor: string;
  readonly status: 'running' | 'completed' | 'failed';
  readonly error: string | null;
  readonly bytes: number | null;
  readonly position: string | null;
  readonly lostFiles: number | null;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly restoredAt: string | null;
}

/** Why a backup failed that did not end its record. */
export const INTERRUPTED = 'interrupted: its process ended before it did';

export interface BackupPlace {
  readonly startedAt: string;
  readonly id: string;
}

/**
 * A backup has the lock of backups until its record is ended: what runs while nobody has it was interrupted. A standby
 * does not know the locks of its primary.
 */
const LOCK = `lock AS (SELECT pg_is_in_recovery() OR EXISTS (SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
  WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.classid = 0 AND l.objid = ${LOCKS.backup}::bigint::oid AND l.objsubid = 1
    AND l.mode = 'ExclusiveLock' AND l.granted) AS held)`;
const STATUS = "CASE WHEN b.status = 'running' AND NOT lock.held THEN 'failed' ELSE b.status END";

export async function listBackups(
  db: Queryable,
  after: BackupPlace | null,
  limit: number,
): Promise<readonly BackupRow[]> {
  const { rows } = await db.query<BackupRow>(
    `WITH ${LOCK}
     SELECT b.id, b.kind, b.destination, b.encrypted, b.host, b.actor, ${STATUS} AS status,
       CASE WHEN b.status = 'running' AND NOT lock.held THEN '${INTERRUPTED}' ELSE b.error END AS error,
       b.bytes::float8 AS bytes, b.position::text AS position, b.lost_files AS "lostFiles", ${instantSql('b.started_at')} AS "startedAt",
       ${instantSql('b.finished_at')} AS "finishedAt", ${instantSql('b.restored_at')} AS "restoredAt"
     FROM gateway.backup b CROSS JOIN lock WHERE $1::timestamptz IS NULL OR (b.started_at, b.id) < ($1, $2::text)
     ORDER BY b.started_at DESC, b.id DESC LIMIT $3`,
    [after?.startedAt ?? null, after?.id ?? null, limit],
  );
  return rows;
}

interface LastCompleted {
  /** When it was begun. */
  readonly at: string;
  /** Since 1970. */
  readonly seconds: number;
  readonly bytes: number | null;
}

/** The last one that completed. What was restored of an archive is none. */
export async function lastCompleted(db: Queryable): Promise<LastCompleted | undefined> {
  const { rows } = await db.query<LastCompleted>(
    `SELECT ${instantSql('started_at')} AS at, extract(epoch FROM started_at)::float8 AS seconds, bytes::float8 AS bytes
     FROM gateway.backup WHERE status = 'completed' AND kind <> 'archive' ORDER BY gateway.backup.started_at DESC, id DESC LIMIT 1`,
  );
  return rows[0];
}

/** How many are on record, by status. */
export async function countBackups(db: Queryable): Promise<Readonly<Record<BackupRow['status'], number>>> {
  const { rows } = await db.query<{ status: BackupRow['status']; count: number }>(
    `WITH ${LOCK} SELECT ${STATUS} AS status, count(*)::integer AS count FROM gateway.backup b CROSS JOIN lock WHERE b.kind <> 'archive' GROUP BY 1`,
  );
  const counted = { running: 0, completed: 0, failed: 0 };
  for (const { status, count } of rows) counted[status] = count;
  return counted;
}
