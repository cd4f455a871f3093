// SQL of whether writes get through: to a server that takes them, and to the log's lock.
import type { Queryable } from '../queryable.ts';
import type { Database } from './connect.ts';
import type { Vital } from './liveness.ts';
import { WRITE_FORMAT } from './write-format.ts';

/**
 * `waiting`: for seconds nobody has got the log's lock, because somebody else has it. `outdated`: a newer version has
 * changed what is written, and this process must be replaced by it. `disk_full`: the database's disk has no room.
 */
export type WritePath = 'open' | 'read_only' | 'waiting' | 'outdated' | 'disk_full';

/** Longer than a write may hold the lock while its process stands still would be a fault. */
const WAITING_SECONDS = 3;

/** Locks of the log, granted or waited for. */
const LOG_LOCKS = `pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
        WHERE l.locktype = 'advisory' AND (l.classid::bigint << 32) + l.objid::bigint = 4847307193528361`;

export type Writable = Pick<Database, 'embedded' | 'space'> & { readonly pool: Queryable };

/** What a write would meet now, as the database tells without taking the lock. */
export async function writePath({ pool, embedded, space }: Writable): Promise<WritePath> {
  const { rows } = await pool.query<{ isReadOnly: boolean; isOutdated: boolean; isWaiting: boolean }>({
    name: 'health-write-path',
    text: `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly",
      (SELECT format > ${WRITE_FORMAT} FROM metadata.write_format) AS "isOutdated",
      EXISTS (SELECT FROM ${LOG_LOCKS} AND NOT l.granted
          AND l.waitstart < clock_timestamp() - interval '${WAITING_SECONDS} s') AS "isWaiting"`,
  });
  if (rows[0]?.isOutdated === true) return 'outdated';
  // the embedded server is no standby: platform/database/embedded/disk-reserve.ts
  if (rows[0]?.isReadOnly === true) return embedded ? 'disk_full' : 'read_only';
  if (space.isFull) return 'disk_full';
  return rows[0]?.isWaiting === true ? 'waiting' : 'open';
}

/** The detail of a component that cannot write; null where it can. */
export async function writeProblem(database: Writable): Promise<string | null> {
  const found = await writePath(database);
  return found === 'open' ? null : `writes_${found}`;
}

/** That writes of this process are decided and written: those that have the log's lock, or wait for it, are only slow. */
export const writesVital = (stalledSince: Vital['stalledSince']): Vital => ({
  name: 'writes',
  stalledSince,
  async isAtWork(db, pids) {
    const { rows } = await db.query<{ isAtWork: boolean }>(
      `SELECT EXISTS (SELECT FROM ${LOG_LOCKS} AND l.pid = ANY($1::int[])) AS "isAtWork"`,
      [pids],
    );
    return rows[0]?.isAtWork === true;
  },
});
