// SQL of whether writes get through: to a server that takes them, and to the log's lock.
import { WRITE_FORMAT } from '../../platform/database/write-format.ts';
import type { Queryable } from '../../platform/queryable.ts';

/**
 * `waiting`: for seconds nobody has got the log's lock, because somebody else has it. `outdated`: a newer version has
 * changed what is written, and this process must be replaced by it.
 */
export type WritePath = 'open' | 'read_only' | 'waiting' | 'outdated';

/** Longer than a write may hold the lock while its process stands still would be a fault. */
const WAITING_SECONDS = 3;

/** What a write would meet now, as the database tells without taking the lock. */
export async function writePath(db: Queryable): Promise<WritePath> {
  const { rows } = await db.query<{ isReadOnly: boolean; isOutdated: boolean; isWaiting: boolean }>({
    name: 'health-write-path',
    text: `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "isReadOnly",
      (SELECT format > ${WRITE_FORMAT} FROM metadata.write_format) AS "isOutdated",
      EXISTS (SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
        WHERE l.locktype = 'advisory' AND NOT l.granted AND (l.classid::bigint << 32) + l.objid::bigint = 4847307193528361
          AND l.waitstart < clock_timestamp() - interval '${WAITING_SECONDS} s') AS "isWaiting"`,
  });
  if (rows[0]?.isOutdated === true) return 'outdated';
  if (rows[0]?.isReadOnly === true) return 'read_only';
  return rows[0]?.isWaiting === true ? 'waiting' : 'open';
}

/** The detail of a component that cannot write; null where it can. */
export async function writeProblem(db: Queryable): Promise<string | null> {
  const found = await writePath(db);
  return found === 'open' ? null : `writes_${found}`;
}
