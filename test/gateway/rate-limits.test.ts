// With several processes the limit applies to the deployment (docs/reference/gateway.md#rate-limits), over
// PostgreSQL and over Redis.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { parseConfig } from '../../platform/config/load-config.ts';
import { createLeasedRateLimiter } from '../../router/edge/rate-limits/leased-rate-limiter.ts';
import { openRateLimiter } from '../../router/edge/rate-limits/open-rate-limiter.ts';
import { postgresRateBuckets } from '../../router/edge/rate-limits/postgres-rate-buckets.ts';
import type { RateBuckets } from '../../router/edge/rate-limits/rate-buckets.ts';
import { leaseTokens, sweepBuckets } from '../../router/edge/rate-limits/rate-buckets.store.ts';
import { redisRateBuckets } from '../../router/edge/rate-limits/redis-rate-buckets.ts';
import type { RateLimiter } from '../../router/edge/rate-limits/rate-limiter.ts';
import { startPlatform } from '../../router/main.ts';
import { buildConsole } from '../console/console-testkit.ts';
import { freshDatabase, testLog } from '../testkit/database.ts';
import { startServer } from '../testkit/server.ts';

const silent = pino({ level: 'silent' });

/** Number of allowed takes of several concurrent limiters within a time. */
async function allowedWithin(
  milliseconds: number,
  limiters: readonly RateLimiter[],
  rate: { perSecond: number; burst: number },
): Promise<{ allowed: number; seconds: number }> {
  const start = performance.now();
  let allowed = 0;
  await Promise.all(
    limiters.map(async (limiter) => {
      while (performance.now() - start < milliseconds) {
        const verdicts = await Promise.all(
          Array.from({ length: 5 }, async () => limiter.take('actor user:ada', rate)),
        );
        allowed += verdicts.filter((verdict) => verdict.allowed).length;
        await sleep(1);
      }
    }),
  );
  return { allowed, seconds: (performance.now() - start) / 1000 };
}

async function holdsTogether(buckets: () => RateBuckets): Promise<void> {
  const rate = { perSecond: 100, burst: 20 };
  const both = [buckets(), buckets()];
  const limiters = both.map((one) => createLeasedRateLimiter(one, silent));
  const { allowed, seconds } = await allowedWithin(1500, limiters, rate);
  await Promise.all(both.map((one) => one.close()));
  expect(allowed).toBeLessThanOrEqual(rate.burst + rate.perSecond * seconds);
  expect(allowed).toBeGreaterThan(0.7 * (rate.burst + rate.perSecond * seconds));
}

test('two processes over one PostgreSQL allow burst and rate together, not each', async () => {
  await using database = await freshDatabase();
  await holdsTogether(() => postgresRateBuckets(database.pool, silent));
});

test("a bucket gives its burst once, fills at its rate by the database's clock, and never beyond its burst", async () => {
  await using database = await freshDatabase();
  const rate = { perSecond: 2, burst: 4 };
  const lease = async (want: number, key = 'a'): Promise<number> =>
    (await leaseTokens(database.pool, [{ key, want }], rate))[0]?.granted ?? -1;
  expect([await lease(3), await lease(3), await lease(1)]).toEqual([3, 1, 0]);
  expect(await lease(9, 'b')).toBe(4);
  await sleep(1050);
  expect(await lease(9)).toBe(2);
  await sleep(2050);
  expect(await lease(9)).toBe(4);
});

test('fifty leases at once of one bucket hand out each token once', async () => {
  await using database = await freshDatabase();
  const grants = await Promise.all(
    Array.from({ length: 50 }, () =>
      leaseTokens(
        database.pool,
        [
          { key: 'a', want: 1 },
          { key: 'b', want: 2 },
        ],
        { perSecond: 1, burst: 30 },
      ),
    ),
  );
  const sum = (i: number): number => grants.reduce((total, grant) => total + (grant[i]?.granted ?? 0), 0);
  expect([sum(0), sum(1)].every((total) => total >= 30 && total <= 32)).toBe(true);
});

test('a full bucket has no row; a used one has', async () => {
  await using database = await freshDatabase();
  await leaseTokens(
    database.pool,
    Array.from({ length: 100 }, (_, i) => ({ key: `ip ${i}`, want: 1 })),
    { perSecond: 1000, burst: 1000 },
  );
  await leaseTokens(database.pool, [{ key: 'busy', want: 5 }], { perSecond: 1, burst: 5 });
  await sleep(20);
  expect(await sweepBuckets(database.pool)).toBe(100);
  expect((await database.pool.query('SELECT key FROM gateway.rate_bucket')).rowCount).toBe(1);
});

test('not every request queries the store, whether it is allowed or refused', async () => {
  let calls = 0;
  await using database = await freshDatabase();
  const buckets = postgresRateBuckets(database.pool, silent);
  const counted: RateBuckets = {
    ...buckets,
    lease: (asks, rate) => {
      calls++;
      return buckets.lease(asks, rate);
    },
  };
  const limiter = createLeasedRateLimiter(counted, silent);
  let takes = 0;
  const end = performance.now() + 1000;
  while (performance.now() < end) {
    await limiter.take('actor user:ada', { perSecond: 500, burst: 500 });
    if (++takes % 10 === 0) await sleep(1);
  }
  await buckets.close();
  expect(takes).toBeGreaterThan(500);
  expect(calls).toBeLessThan(takes / 10);
});

test('while the store fails, each process limits for itself', async () => {
  const broken: RateBuckets = {
    lease: () => Promise.reject(new Error('gone')),
    close: async () => undefined,
  };
  const limiter = createLeasedRateLimiter(broken, silent);
  const verdicts = [];
  for (let i = 0; i < 4; i++) verdicts.push((await limiter.take('a', { perSecond: 1, burst: 2 })).allowed);
  expect(verdicts).toEqual([true, true, false, false]);
});

test('two routers over one database answer 429 beyond what the deployment may have', async () => {
  const limits = 'rate_limit: {enabled: true, per_actor_rps: 20, per_ip_rps: 5}\n';
  await using first = await startServer({ config: limits });
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'cairn-second-router-'));
  const config = parseConfig(limits, path.join(dataDir, 'gateway.yaml'), {
    env: { CAIRN_PORT: '0', CAIRN_DATA_DIR: dataDir, DATABASE_URL: first.database.url },
    cwd: dataDir,
  });
  const second = await startPlatform({ config, log: testLog });
  try {
    const start = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: 120 }, async (_, i) => {
        const answer = await fetch(`${i % 2 === 0 ? first.url : second.url}/api/v1/metadata/entities`, {
          headers: { 'x-api-key': first.key },
        });
        if (answer.status === 429)
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
        return answer.status;
      }),
    );
    const allowed = statuses.filter((status) => status === 200).length;
    expect(allowed).toBeGreaterThanOrEqual(20);
    expect(allowed).toBeLessThanOrEqual(20 + (20 * (performance.now() - start)) / 1000);
    expect(statuses.filter((status) => status === 429)).toHaveLength(120 - allowed);
  } finally {
    await second.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

async function startRedis(): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await new Promise<number>((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const at = probe.address() as net.AddressInfo;
      probe.close(() => {
        resolve(at.port);
      });
    }); // It listens on TCP.
  });
  const child = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: 'ignore', cwd: os.tmpdir() },
  );
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      resolve();
    });
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

test.skipIf(!hasRedis)(
  'two processes over one Redis allow burst and rate together; without it each limits for itself (skipped where there is no redis-server)',
  async () => {
    const redis = await startRedis();
    try {
      const buckets = await redisRateBuckets(redis.url, silent);
      await expect
        .poll(
          () =>
            buckets.lease([{ key: 'ready', want: 1 }], { perSecond: 1, burst: 1 }).then(
              () => true,
              () => false,
            ),
          { timeout: 120_000 },
        )
        .toBe(true);
      const rate = { perSecond: 2, burst: 4 };
      const lease = async (want: number): Promise<number> =>
        (await buckets.lease([{ key: 'a', want }], rate))[0]?.granted ?? -1;
      expect([await lease(3), await lease(3), await lease(1)]).toEqual([3, 1, 0]);
      await sleep(1050);
      expect(await lease(9)).toBe(2);

      const ready: RateBuckets[] = [];
      for (const one of await Promise.all([
        redisRateBuckets(redis.url, silent),
        redisRateBuckets(redis.url, silent),
      ])) {
        await expect
          .poll(() =>
            one.lease([{ key: 'ready', want: 1 }], rate).then(
              () => true,
              () => false,
            ),
          )
          .toBe(true);
        ready.push(one);
      }
      await holdsTogether(() => ready.pop() ?? buckets);

      await using database = await freshDatabase();
      const opened = await openRateLimiter({
        redisUrl: redis.url,
        shared: true,
        db: database.pool,
        log: silent,
      });
      await redis.stop();
      const verdicts = [];
      for (let i = 0; i < 3; i++)
        verdicts.push((await opened.limiter.take('b', { perSecond: 1, burst: 2 })).allowed);
      expect(verdicts).toEqual([true, true, false]);
      await Promise.all([opened.close(), buckets.close()]);
    } finally {
      await redis.stop();
    }
  },
);

test('the files of a page do not count for the requests of an address, and have a limit of their own', async () => {
  buildConsole();
  await using server = await startServer({
    config: 'rate_limit: {enabled: true, per_ip_rps: 1, burst: 2}\n',
  });
  const get = (target: string) => fetch(server.url + target);
  const began = performance.now();
  const page = await (await get('/console')).text();
  const files = [...page.matchAll(/(?:src|href)="([^"]*console\/assets\/[^"]+)"/g)].map(
    ([, file = '']) => new URL(file, `${server.url}/console`).pathname,
  );
  expect(files.length).toBeGreaterThan(10);
  const statuses = (answers: readonly Response[]) => new Set(answers.map(({ status }) => status));
  expect(statuses(await Promise.all(files.map(get)))).toEqual(new Set([200]));
  expect((await get('/console')).status).toBe(200); // the second of two
  // one more a second is let through: on a busy machine some of these
  const more = await Promise.all(Array.from({ length: 30 }, () => get('/console')));
  const refused = more.filter(({ status }) => status === 429);
  const seconds = (performance.now() - began) / 1000;
  expect(2 + more.length - refused.length).toBeLessThanOrEqual(2 + Math.ceil(seconds));
  expect(new Set(refused.map(({ headers }) => headers.get('ratelimit-policy')))).toEqual(
    new Set(['"ip";q=2;w=2']),
  );
  const file = `${server.url}${files[0] ?? ''}`;
  const many = new Set<number>();
  // forty a second are let through, and a machine that others use may answer no more for some seconds
  for (const until = performance.now() + 120_000; !many.has(429) && performance.now() < until;)
    for (const { status } of await Promise.all(
      Array.from({ length: 100 }, () => fetch(file, { method: 'HEAD' })),
    ))
      many.add(status);
  expect(many).toEqual(new Set([200, 429]));
});
