// SQL of the archive of the write-ahead log. As the superuser of the embedded database.
import type { Queryable } from '../../platform/queryable.ts';
import { LOCKS } from '../../platform/database/advisory-locks.ts';
import type { BackedUpFile } from '../backups/backup-format.ts';

/** Keeps what has not been archived yet. */
export const SLOT = 'cairn_archive';

/** Events of the log that one transaction has written. */
export interface WrittenEvents {
  /** The transaction, as `recovery_target_xid` takes it. */
  readonly xid: string;
  readonly from: number;
  readonly to: number;
}

/** What the log held at a moment. */
export interface Mark {
  /** All of it stands before this place of the write-ahead log. */
  readonly lsn: string;
  /** Transactions of until then are among it. */
  readonly time: string;
  /** The last event; 0 for none. */
  readonly position: number;
}

/** Whether this session is the one that archives, until it ends. */
export async function becomeArchiver(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ is: boolean }>('SELECT pg_try_advisory_lock($1) AS is', [LOCKS.archive]);
  return rows[0]?.is === true;
}

export interface ClusterIdentity {
  readonly system: string;
  readonly timeline: number;
  readonly server: string;
}

export async function identifyCluster(db: Queryable): Promise<ClusterIdentity> {
  const { rows } = await db.query<ClusterIdentity>(
    `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system, (SELECT timeline_id FROM pg_control_checkpoint()) AS timeline,
       current_setting('server_version') AS server`,
  );
  if (rows[0] === undefined) throw new Error('the server does not tell of itself');
  return rows[0];
}

/** Whether the slot still has everything since it was made. */
export async function hasSlot(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ status: string | null }>(
    'SELECT wal_status AS status FROM pg_replication_slots WHERE slot_name = $1',
    [SLOT],
  );
  return rows[0] !== undefined && rows[0].status !== 'lost';
}

export async function hasAnySlot(db: Queryable): Promise<boolean> {
  const { rows } = await db.query('SELECT 1 FROM pg_replication_slots WHERE slot_name = $1', [SLOT]);
  return rows.length === 1;
}

/** For how many bytes of the log it holds the disk; 0 without one. */
export async function keptBySlot(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    'SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 AS bytes FROM pg_replication_slots WHERE slot_name = $1 AND restart_lsn IS NOT NULL',
    [SLOT],
  );
  return rows[0]?.bytes ?? 0;
}

/** Ends whoever uses it, if a connection that was lost still does. */
export async function dropSlot(db: Queryable): Promise<void> {
  await db.query(
    'SELECT pg_terminate_backend(active_pid, 5000) FROM pg_replication_slots WHERE slot_name = $1 AND active_pid IS NOT NULL',
    [SLOT],
  );
  await db.query(
    'SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1',
    [SLOT],
  );
}

export async function createSlot(db: Queryable): Promise<void> {
  await dropSlot(db);
  await db.query('SELECT pg_create_physical_replication_slot($1, true)', [SLOT]);
}

/** @param slackSeconds by which a transaction may be written later than its own time says */
export async function takeMark(db: Queryable, slackSeconds: number): Promise<Mark> {
  const { rows } = await db.query<{ time: string; position: number }>(
    `SELECT to_char((clock_timestamp() - $1 * interval '1 second') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS time,
       coalesce((SELECT max(position) FROM metadata.provenance), 0)::float8 AS position`,
    [slackSeconds],
  );
  // later than what was seen, which was flushed before it could be
  const place = await db.query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn()::text AS lsn');
  const [mark, at] = [rows[0], place.rows[0]];
  if (mark === undefined || at === undefined) throw new Error('the database does not tell where it is');
  return { ...mark, ...at };
}

/** Writes something that changes nothing. */
export async function noteInLog(db: Queryable): Promise<void> {
  await db.query(`SELECT pg_logical_emit_message(false, 'cairn', '')`);
}

/** Who wrote the events after one, up to another. */
export async function writtenBetween(db: Queryable, after: number, upTo: number): Promise<WrittenEvents[]> {
  if (upTo <= after) return [];
  const { rows } = await db.query<WrittenEvents>(
    `SELECT xmin::text AS xid, min(position)::float8 AS from, max(position)::float8 AS to FROM metadata.provenance
     WHERE position > $1 AND position <= $2 GROUP BY xmin ORDER BY 2`,
    [after, upTo],
  );
  return rows;
}

/** Files that have come since they were last copied. */
export async function listNewFiles(db: Queryable, after: string, limit: number): Promise<BackedUpFile[]> {
  const { rows } = await db.query<BackedUpFile>(
    `SELECT hash, size::float8 AS size FROM artifact.stored_object WHERE archived_at IS NULL AND evicted_at IS NULL AND hash > $1 ORDER BY hash LIMIT $2`,
    [after, limit],
  );
  return rows;
}

/** All files, by their hashes. */
export async function listFiles(db: Queryable, after: string, limit: number): Promise<BackedUpFile[]> {
  const { rows } = await db.query<BackedUpFile>(
    `SELECT hash, size::float8 AS size FROM artifact.stored_object WHERE evicted_at IS NULL AND hash > $1 ORDER BY hash LIMIT $2`,
    [after, limit],
  );
  return rows;
}

export async function noteArchived(db: Queryable, hashes: readonly string[]): Promise<void> {
  await db.query(
    'UPDATE artifact.stored_object SET archived_at = now() WHERE hash = ANY($1::text[]) AND archived_at IS NULL',
    [hashes],
  );
}
