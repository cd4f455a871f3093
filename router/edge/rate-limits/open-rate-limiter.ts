// Selects where requests are counted: in this process if it is the only one, else in a store of the
// deployment (docs/reference/gateway.md#rate-limits).
import type { Logger } from 'pino';
import type { Queryable } from '../../../platform/queryable.ts';
import { createProcessRateLimiter, type RateLimiter } from './rate-limiter.ts';
import { createLeasedRateLimiter } from './leased-rate-limiter.ts';
import { postgresRateBuckets } from './postgres-rate-buckets.ts';
import { redisRateBuckets } from './redis-rate-buckets.ts';

export interface RateLimiterOptions {
  /** `rate_limit.redis_url`. */
  readonly redisUrl: string | undefined;
  /** Whether other processes may use the same store. */
  readonly shared: boolean;
  readonly db: Queryable;
  readonly log: Logger;
}

export interface OpenRateLimiter {
  readonly limiter: RateLimiter;
  close(): Promise<void>;
}

export async function openRateLimiter({
  redisUrl,
  shared,
  db,
  log,
}: RateLimiterOptions): Promise<OpenRateLimiter> {
  if (redisUrl === undefined && !shared)
    return { limiter: createProcessRateLimiter(), close: async () => undefined };
  const buckets =
    redisUrl === undefined ? postgresRateBuckets(db, log) : await redisRateBuckets(redisUrl, log);
  return { limiter: createLeasedRateLimiter(buckets, log), close: () => buckets.close() };
}
