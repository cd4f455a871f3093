// gateway.sync_event and gateway.consistency_scan: read by Prisma Client; what decides atomically is SQL
// (docs/decisions/0070).
import type { Database } from '../../platform/database/connect.ts';
import type { Queryable } from '../../platform/queryable.ts';
import { LOCKS } from '../../platform/database/advisory-locks.ts';
import type { ConsistencyScan, SyncEvent } from './sync-event.ts';

export type EventStatus = 'unresolved' | 'resolved' | 'all';

type Prisma = Database['prisma'];

const ofStatus = (status: EventStatus) =>
  status === 'all' ? {} : { resolvedAt: status === 'resolved' ? { not: null } : null };

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
  prisma: Prisma,
  { status, after, limit, offset }: EventListing,
): Promise<readonly SyncEvent[]> {
  const older = after && [
    { createdAt: { lt: after.createdAt } },
    { createdAt: after.createdAt, id: { lt: after.id } },
  ];
  const rows = await prisma.syncEvent.findMany({
    where: { ...ofStatus(status), ...(older && { OR: older }) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
    skip: offset,
    omit: { dedupeKey: true },
  });
  return rows as SyncEvent[]; // its details are what was inserted
}

async function findEvent(prisma: Prisma, id: string): Promise<SyncEvent | undefined> {
  const row = await prisma.syncEvent.findUnique({ where: { id }, omit: { dedupeKey: true } });
  return (row as SyncEvent | null) ?? undefined; // as above
}

/** False where there is no such unresolved event: of two who resolve at once, one does. */
async function resolveEvent(db: Queryable, id: string, by: string, note: string | null): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE gateway.sync_event SET resolved_at = clock_timestamp(), resolved_by = $2, note = $3 WHERE id = $1 AND resolved_at IS NULL`,
    [id, by, note],
  );
  return rowCount === 1;
}

/** False where one is recorded as started already. */
async function insertScan(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO gateway.consistency_scan (id, status) VALUES ($1, 'started') ON CONFLICT (status) WHERE status = 'started' DO NOTHING`,
    [id],
  );
  return rowCount === 1;
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

async function findScan(
  prisma: Prisma,
  where: { readonly id?: string; readonly status?: ConsistencyScan['status'] },
): Promise<ConsistencyScan | undefined> {
  const row = await prisma.consistencyScan.findFirst({
    where,
    orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
  });
  return (row as ConsistencyScan | null) ?? undefined; // a CHECK holds the status
}

/** Marks scans as failed whose process is gone. */
async function failAbandonedScans(db: Queryable): Promise<void> {
  await db.query(
    `UPDATE gateway.consistency_scan SET status = 'failed', finished_at = clock_timestamp(), error = 'the process that ran the scan ended' WHERE status = 'started'`,
  );
}

/**
 * Takes the scan lock for as long as the connection lives, so that it is released when its holder is killed.
 */
async function lockScans(connection: Queryable): Promise<boolean> {
  const { rows } = await connection.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
    LOCKS.scan,
  ]);
  return rows[0]?.locked === true;
}

async function unlockScans(connection: Queryable): Promise<void> {
  await connection.query('SELECT pg_advisory_unlock($1)', [LOCKS.scan]);
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

type ScanDatabase = Pick<Database, 'pool' | 'prisma'>;

async function takeScanRight(database: ScanDatabase): Promise<ScanRight | undefined> {
  const connection = await database.pool.connect();
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
      return (await insertScan(connection, id)) ? findScan(database.prisma, { id }) : undefined;
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

/** The statements that decisions need. Prisma Client is made when the first of its questions is asked. */
export const createSyncStore = (database: ScanDatabase) => ({
  insertEvent: (event: NewEvent) => insertEvent(database.pool, event),
  listEvents: (listing: EventListing) => listEvents(database.prisma, listing),
  countEvents: (status: EventStatus) => database.prisma.syncEvent.count({ where: ofStatus(status) }),
  findEvent: (id: string) => findEvent(database.prisma, id),
  async resolveEvent(id: string, by: string, note: string | null): Promise<SyncEvent | undefined> {
    return (await resolveEvent(database.pool, id, by, note)) ? findEvent(database.prisma, id) : undefined;
  },
  takeScanRight: () => takeScanRight(database),
  finishScan: (scan: Parameters<typeof finishScan>[1]) => finishScan(database.pool, scan),
  runningScan: () => findScan(database.prisma, { status: 'started' }),
  latestScan: () => findScan(database.prisma, {}),
});
export type SyncStore = ReturnType<typeof createSyncStore>;
