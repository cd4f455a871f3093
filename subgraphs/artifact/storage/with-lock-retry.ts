// Waits for a lock without occupying a connection, because the lock's holder may need one to finish.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transact } from '../../../platform/database/transaction.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { systemErrorCode } from '../../../platform/system-error-code.ts';

const PAUSE_MS = 100;
/** SQLSTATE `lock_not_available`. */
const isLocked = (fault: unknown): boolean => systemErrorCode(fault) === '55P03';

/** Runs the work in a transaction, repeatedly until it gets its locks: each failed attempt is rolled back. */
export async function withLockRetry<T>(transact: Transact, work: (db: Queryable) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await transact(async (db) => {
        await db.query(`SET LOCAL lock_timeout = '${PAUSE_MS}ms'`);
        return work(db);
      });
    } catch (fault) {
      if (!isLocked(fault)) throw fault;
    }
    await sleep(PAUSE_MS);
  }
}
