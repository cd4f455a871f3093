// Rate limits shared through PostgreSQL.
import type { Logger } from 'pino';
import type { Queryable } from '../../../platform/queryable.ts';
import type { RateBuckets } from './rate-buckets.ts';
import { leaseTokens, sweepBuckets } from './rate-buckets.store.ts';

/** Milliseconds between two sweeps: with the seconds that a bucket needs to fill, this bounds the table. */
const SWEEP_MS = 10_000;

export function postgresRateBuckets(db: Queryable, log: Logger): RateBuckets {
  let sweeping: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    sweeping = sweepBuckets(db).catch((error: unknown) => {
      log.warn({ err: error }, 'full rate limit buckets could not be deleted');
    });
  }, SWEEP_MS).unref();
  return {
    lease: (asks, rate) => leaseTokens(db, asks, rate),
    async close() {
      clearInterval(timer);
      await sweeping;
    },
  };
}
