// Rate limits shared through Redis (`rate_limit.redis_url`).
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { RateBuckets } from './rate-buckets.ts';

/**
 * KEYS: buckets. ARGV: tokens per second, burst, then the requested tokens of each. Times are microseconds of
 * Redis's clock; a full bucket has no key.
 */
const LEASE = `
  local clock = redis.call('TIME')
  local now = clock[1] * 1000000 + clock[2]
  local token, burst = 1000000 / ARGV[1], tonumber(ARGV[2])
  local answer = {}
  for i, key in ipairs(KEYS) do
    local full = math.max(now, tonumber(redis.call('GET', key) or now))
    local granted = math.max(0, math.min(tonumber(ARGV[i + 2]), math.floor(burst - (full - now) / token + 0.0001)))
    if granted > 0 then
      full = full + granted * token
      redis.call('SET', key, string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000) + 1)
    end
    answer[2 * i - 1] = granted
    answer[2 * i] = math.ceil(full - now)
  end
  return answer`;

const nameOf = (key: string): string => `cairn:rate:${createHash('sha256').update(key).digest('base64url')}`;

interface LeaseCommand {
  leaseTokens(keys: number, ...rest: (string | number)[]): Promise<number[]>;
}

/**
 * Connects and reconnects automatically; without a connection, `lease` rejects at once. The client is only
 * loaded where it is used, because it takes memory.
 */
export async function redisRateBuckets(url: string, log: Logger): Promise<RateBuckets> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    connectTimeout: 2000,
    commandTimeout: 500,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    connectionName: 'cairn',
    retryStrategy: (times) => Math.min(100 * 2 ** times, 5000),
    scripts: { leaseTokens: { lua: LEASE } },
  });
  redis.on('error', (error: Error) => {
    log.warn({ err: error }, 'the connection to Redis failed');
  });
  // ioredis's types do not include what `scripts` defines.
  const commands = redis as unknown as LeaseCommand;
  return {
    async lease(asks, { perSecond, burst }) {
      const answer = await commands.leaseTokens(
        asks.length,
        ...asks.map(({ key }) => nameOf(key)),
        perSecond,
        burst,
        ...asks.map(({ want }) => want),
      );
      return asks.map((_, i) => ({ granted: answer[2 * i] ?? 0, fullIn: (answer[2 * i + 1] ?? 0) / 1e6 }));
    },
    async close() {
      redis.disconnect();
    },
  };
}
