// One process's part of a limit that processes share: it takes small batches of tokens, so that few requests
// wait for the store.
import { lruCache } from '../../../platform/lru-cache.ts';
import type { Logger } from 'pino';
import { createProcessRateLimiter, type Rate, type RateLimiter, type Verdict } from './rate-limiter.ts';
import { createLeasing } from './leasing.ts';
import type { RateBuckets } from './rate-buckets.ts';

/** This process's share of one key's bucket. */
interface Holding {
  tokens: number;
  /** When the leased tokens expire, in milliseconds. */
  expires: number;
  /** Until when the store need not be asked again after the tokens are used, because it had no more. */
  emptyUntil: number;
  /** Size of the last batch: it doubles while batches are used up early. */
  batch: number;
}

const MAX_KEYS = 100_000;
/**
 * Maximum batch as a fraction of a second's tokens, and of the burst: what one process may withhold from the
 * others.
 */
const BATCH_PART = 10;
/** Milliseconds for which tokens are leased. */
const HELD_MS = 1000;

const largestBatch = ({ perSecond, burst }: Rate): number =>
  Math.max(1, Math.floor(Math.min(perSecond, burst) / BATCH_PART));

/**
 * The sum over all processes stays within burst + rate · time, plus the unused batch of each from the second
 * before. If the store fails, each process limits for itself, and logs it. `now` is in milliseconds.
 */
export function createLeasedRateLimiter(
  buckets: RateBuckets,
  log: Logger,
  now: () => number = () => performance.now(),
): RateLimiter {
  const holdings = lruCache<Holding>(MAX_KEYS);
  const alone = createProcessRateLimiter(now);
  const leasing = createLeasing(buckets);
  let failing = false;

  const failed = (cause: unknown): void => {
    if (!failing)
      log.error(
        { err: cause },
        'the shared rate limits are unavailable: this process applies its own limits until they are available again',
      );
    failing = true;
  };

  const ask = async (key: string, rate: Rate, batch: number): Promise<Verdict> => {
    const { burst, perSecond } = rate;
    try {
      const { granted, fullIn } = await leasing.take(key, rate, batch);
      if (failing) log.info('the shared rate limits are available again');
      failing = false;
      const left = Math.max(0, burst - fullIn * perSecond);
      const at = now();
      const before = holdings.get(key);
      const kept = before !== undefined && before.expires > at ? before.tokens : 0;
      // if not even one is left, the next batch is requested when the store can have it
      const emptyUntil = left >= 1 ? 0 : at + ((batch - left) / perSecond) * 1000;
      holdings.set(key, {
        tokens: kept + Math.max(0, granted - 1),
        expires: at + HELD_MS,
        emptyUntil,
        batch,
      });
      return {
        allowed: granted > 0,
        remaining: Math.floor(left) + Math.max(0, granted - 1),
        retryAfter: left >= 1 ? 0 : Math.ceil((1 - left) / perSecond),
      };
    } catch (cause) {
      failed(cause);
      return alone.take(key, rate);
    }
  };

  return {
    take(key, rate) {
      const held = holdings.get(key);
      if (held === undefined) return ask(key, rate, 1);
      const at = now();
      if (held.tokens > 0 && held.expires > at) {
        held.tokens--;
        return { allowed: true, remaining: held.tokens, retryAfter: 0 };
      }
      if (held.emptyUntil > at)
        return { allowed: false, remaining: 0, retryAfter: Math.ceil((held.emptyUntil - at) / 1000) };
      const busy = held.expires > at;
      held.tokens = 0;
      return ask(key, rate, Math.min(largestBatch(rate), busy ? held.batch * 2 : 1));
    },
  };
}
