// The statements on gateway.sync_event and gateway.consistency_scan.
import type { Pool } from 'pg';
import { instantSql, type Queryable } from '../../platform/queryable.ts';

export type EventStatus = 'unresolved' | 'resolved' | 'all';

export interface SyncEvent {
  readonly id: string;
  readonly eventType: string;
  readonly source: string;
  readonly sourceId: string;
  readonly actor: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly resolvedAt: string | null;
  readonly resolvedBy: string | null;
  readonly note: string | null;
}

export interface ConsistencyScan {
  readonly id: string;
  readonly status: 'started' | 'completed' | 'failed';
  readonly startedAt: string;
  readonly finishedAt: string | null;
  /** Finished runs and productions that were compared, and those with missing entities. */
  readonly checked: number;
  readonly mismatches: number;
  readonly error: string | null;
}

const EVENT = `e.id, e.event_type AS "eventType", e.source, e.source_id AS "sourceId", e.actor, e.details, ${instantSql('e.created_at')} AS "createdAt",
  ${instantSql('e.resolved_at')} AS "resolvedAt", e.resolved_by AS "resolvedBy", e.note`;
const SCAN = `s.id, s.status, ${instantSql('s.started_at')} AS "startedAt", ${instantSql('s.finished_at')} AS "finishedAt", s.checked, s.mismatches, s.error`;

/** $1 is an {@link EventStatus}. */
const OF_STATUS = `($1 = 'all' OR (e.resolved_at IS NOT NULL) = ($1 = 'resolved'))`;

export interface NewEvent extends Pick<
  SyncEvent,
  'id' | 'eventType' | 'source' | 'sourceId' | 'actor' | 'details'
> {
  /** At most one event with the same key is unresolved. */
  readonly dedupeKey: string;
}

/** Whether the event is new: false if an unresolved one has the same key. */
async function insertEvent(db: Queryable, event: NewEvent): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO gateway.sync_event (id, event_type, source, source_id, actor, details, dedupe_key) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (dedupe_key) WHERE resolved_at IS NULL DO NOTHING`,
    [event.id, event.eventType, event.source, event.sourceId, event.actor, event.details, event.dedupeKey],
  );
  return rowCount === 1;
}

export interface EventListing {
  readonly status: EventStatus;
  /** After this one, newest first. */
  readonly after: { readonly createdAt: string; readonly id: string } | null;
  readonly limit: number;
  readonly offset: number;
}

async function listEvents(
  db: Queryable,
  { status, after, limit, offset }: EventListing,
): Promise<readonly SyncEvent[]> {
  const { rows } = await db.query<SyncEvent>(
    `SELECT ${EVENT} FROM gateway.sync_event e WHERE ${OF_STATUS} AND ($2::timestamptz IS NULL OR (e.created_at, e.id) < ($2, $3::text))
     ORDER BY e.created_at DESC, e.id DESC LIMIT $4 OFFSET $5`,
    [status, after?.createdAt ?? null, after?.id ?? null, limit, offset],
  );
  return rows;
}

async function countEvents(db: Queryable, status: EventStatus): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM gateway.sync_event e WHERE ${OF_STATUS}`,
    [status],
  );
  return rows[0]?.total ?? 0;
}

async function findEvent(db: Queryable, id: string): Promise<SyncEvent | undefined> {
  const { rows } = await db.query<SyncEvent>(`SELECT ${EVENT} FROM gateway.sync_event e WHERE e.id = $1`, [
    id,
  ]);
  return rows[0];
}

/** Undefined if there is no such unresolved event: of two concurrent calls, one resolves it. */
async function resolveEvent(
  db: Queryable,
  id: string,
  by: string,
  note: string | null,
): Promise<SyncEvent | undefined> {
  const { rows } = await db.query<SyncEvent>(
    `UPDATE gateway.sync_event e SET resolved_at = clock_timestamp(), resolved_by = $2, note = $3 WHERE e.id = $1 AND e.resolved_at IS NULL RETURNING ${EVENT}`,
    [id, by, note],
  );
  return rows[0];
}

/** Undefined if one is already recorded as started. */
async function insertScan(db: Queryable, id: string): Promise<ConsistencyScan | undefined> {
  const { rows } = await db.query<ConsistencyScan>(
    `INSERT INTO gateway.consistency_scan AS s (id, status) VALUES ($1, 'started') ON CONFLICT (status) WHERE status = 'started' DO NOTHING RETURNING ${SCAN}`,
    [id],
  );
  return rows[0];
}

async function finishScan(
  db: Queryable,
  {
    id,
    status,
    checked,
    mismatches,
    error,
  }: Pick<ConsistencyScan, 'id' | 'status' | 'checked' | 'mismatches' | 'error'>,
): Promise<void> {
  await db.query(
    `UPDATE gateway.consistency_scan SET status = $2, checked = $3, mismatches = $4, error = $5, finished_at = clock_timestamp() WHERE id = $1`,
    [id, status, checked, mismatches, error],
  );
}

/** Marks scans of ended processes as failed. */
async function failAbandonedScans(db: Queryable): Promise<void> {
  await db.query(
    `UPDATE gateway.consistency_scan SET status = 'failed', finished_at = clock_timestamp(), error = 'the process that ran the scan ended' WHERE status = 'started'`,
  );
}

async function findRunningScan(db: Queryable): Promise<ConsistencyScan | undefined> {
  const { rows } = await db.query<ConsistencyScan>(
    `SELECT ${SCAN} FROM gateway.consistency_scan s WHERE s.status = 'started'`,
  );
  return rows[0];
}

async function findLatestScan(db: Queryable): Promise<ConsistencyScan | undefined> {
  const { rows } = await db.query<ConsistencyScan>(
    `SELECT ${SCAN} FROM gateway.consistency_scan s ORDER BY s.started_at DESC, s.id DESC LIMIT 1`,
  );
  return rows[0];
}

/** Key of the advisory lock of the running scan. */
const SCAN_LOCK = 212_904_002;

/**
 * Takes the scan lock for as long as the connection lives, so that it is released when its holder is killed.
 */
async function lockScans(connection: Queryable): Promise<boolean> {
  const { rows } = await connection.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
    SCAN_LOCK,
  ]);
  return rows[0]?.locked === true;
}

async function unlockScans(connection: Queryable): Promise<void> {
  await connection.query('SELECT pg_advisory_unlock($1)', [SCAN_LOCK]);
}

/**
 * The scan lock, held by at most one process in the deployment, and released with its holder's connection.
 */
export interface ScanRight {
  /** Records the start of a scan, after closing the record of a scan whose process died. */
  begin(id: string): Promise<ConsistencyScan | undefined>;
  /** Releases the lock. */
  release(): Promise<void>;
}

async function takeScanRight(pool: Pool): Promise<ScanRight | undefined> {
  const connection = await pool.connect();
  let held: boolean;
  try {
    held = await lockScans(connection);
  } catch (error) {
    connection.release(true);
    throw error;
  }
  if (!held) {
    connection.release();
    return undefined;
  }
  return {
    async begin(id) {
      await failAbandonedScans(connection);
      return insertScan(connection, id);
    },
    async release() {
      let broken = true;
      try {
        await unlockScans(connection);
        broken = false;
      } finally {
        connection.release(broken); // closing the connection releases the lock
      }
    },
  };
}

/** The statements that the service needs, over one pool. */
export const createSyncStore = (pool: Pool) => ({
  insertEvent: (event: NewEvent) => insertEvent(pool, event),
  listEvents: (listing: EventListing) => listEvents(pool, listing),
  countEvents: (status: EventStatus) => countEvents(pool, status),
  findEvent: (id: string) => findEvent(pool, id),
  resolveEvent: (id: string, by: string, note: string | null) => resolveEvent(pool, id, by, note),
  takeScanRight: () => takeScanRight(pool),
  finishScan: (scan: Parameters<typeof finishScan>[1]) => finishScan(pool, scan),
  runningScan: () => findRunningScan(pool),
  latestScan: () => findLatestScan(pool),
});
export type SyncStore = ReturnType<typeof createSyncStore>;
