// Token buckets: how many requests a key may still make now (docs/reference/gateway.md#rate-limits).
import { lruCache } from '../../../platform/lru-cache.ts';

export interface Rate {
  /** Tokens added per second. */
  readonly perSecond: number;
  /** Capacity of a bucket. */
  readonly burst: number;
}

export interface Verdict {
  readonly allowed: boolean;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Seconds until the next token, rounded up; 0 if one is left. */
  readonly retryAfter: number;
}

/**
 * Takes one token from the key's bucket. A synchronous result costs the request no turn of the event loop.
 */
export interface RateLimiter {
  take(key: string, rate: Rate): Verdict | Promise<Verdict>;
}

export interface RateLimits {
  readonly limiter: RateLimiter;
  readonly perActor: Rate;
  readonly perIp: Rate;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** Maximum keys of one process; the least recently used start again with a full bucket. */
const MAX_KEYS = 100_000;

/** Buckets of one process, exact if a deployment has one process. `now` is in milliseconds. */
export function createProcessRateLimiter(now: () => number = () => performance.now()): {
  take(key: string, rate: Rate): Verdict;
} {
  const buckets = lruCache<Bucket>(MAX_KEYS);
  return {
    take(key, { perSecond, burst }) {
      const at = now();
      const bucket = buckets.get(key);
      if (bucket === undefined) {
        buckets.set(key, { tokens: burst - 1, at });
        return { allowed: true, remaining: Math.floor(burst - 1), retryAfter: 0 };
      }
      bucket.tokens = Math.min(burst, bucket.tokens + ((at - bucket.at) / 1000) * perSecond);
      bucket.at = at;
      const allowed = bucket.tokens >= 1;
      if (allowed) bucket.tokens -= 1;
      const missing = 1 - bucket.tokens;
      return {
        allowed,
        remaining: Math.floor(bucket.tokens),
        retryAfter: missing <= 0 ? 0 : Math.ceil(missing / perSecond),
      };
    },
  };
}
