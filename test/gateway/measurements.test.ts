// docs/reference/gateway.md#measurements.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/connect.ts';
import type { Identity } from '../../platform/identity.ts';
import { addSample, type ThisProcess } from '../../router/system-metrics/samples.store.ts';
import { startSampler } from '../../router/system-metrics/sampler.ts';
import { rates, type CountsSoFar } from '../../router/system-metrics/series.ts';
import { createSystemMetrics } from '../../router/system-metrics/system-metrics.service.ts';
import { freshDatabase, testLog } from '../testkit/database.ts';
import { eventually } from '../workflow/workflow-server.ts';

let database: Database & AsyncDisposable;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const ADMIN: Identity = { actor: 'user:ada', roles: ['admin'], projects: '*' };
const KEPT = { days: 14, most: 500_000 };
const NONE = { count: 0, failed: 0, seconds: 0, counts: [] };
const processOf = (host: string): ThisProcess => ({
  id: randomUUID(),
  host,
  pid: 7,
  version: '1',
  startedAt: new Date().toISOString(),
});
const read = (
  query: Partial<Parameters<ReturnType<typeof createSystemMetrics>['read']>[0]>,
  caller = ADMIN,
) =>
  createSystemMetrics(database.pool, true).read(
    { names: null, from: null, to: null, step: null, ...query },
    caller,
  );

test('several processes are told apart, what is of the deployment is told once, by its greatest', async () => {
  const [a, b] = [processOf('a'), processOf('b')];
  await addSample(database.pool, a, { memory_bytes: 100, runs_queued: 2 }, KEPT);
  await addSample(database.pool, a, { memory_bytes: 300, runs_queued: 3 }, KEPT);
  await addSample(database.pool, b, { memory_bytes: 50, runs_queued: 9 }, KEPT);
  const to = new Date(Date.now() + 60_000).toISOString();
  const { series, processes, times } = await read({ names: ['memory_bytes', 'runs_queued'], to, step: 3600 });
  expect(times.length).toBe(1);
  expect(processes.map(({ host }) => host).toSorted()).toEqual(['a', 'b']);
  expect(series.filter(({ name }) => name === 'runs_queued')).toEqual([
    { name: 'runs_queued', unit: 'count', process: null, values: [9] },
  ]);
  expect(
    series.filter(({ name }) => name === 'memory_bytes').map(({ process, values }) => [process, ...values]),
  ).toEqual(
    expect.arrayContaining([
      [a.id, 300],
      [b.id, 50],
    ]),
  );
});

test('samples end by age and by number, some at a time', async () => {
  const one = processOf('old');
  await database.pool.query(
    `INSERT INTO gateway.metric_sample (at, process_id, readings) SELECT now() - interval '15 days', $1, '{}' FROM generate_series(1, 700)`,
    [one.id],
  );
  await database.pool.query(
    `INSERT INTO gateway.process (id, host, pid, version, started_at, seen_at) VALUES ($1, 'gone', 1, '1', now() - interval '20 days', now() - interval '15 days')`,
    [randomUUID()],
  );
  const count = async (condition: string): Promise<number> =>
    (
      await database.pool.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM gateway.metric_sample WHERE ${condition}`,
      )
    ).rows[0]?.n ?? -1;
  const before = await count(`at < now() - interval '14 days'`);
  await addSample(database.pool, one, {}, KEPT);
  const after = await count(`at < now() - interval '14 days'`);
  expect([before, before - after > 0, before - after <= 500]).toEqual([700, true, true]);
  for (let n = 0; n < 3; n++) await addSample(database.pool, one, {}, KEPT);
  expect(await count(`at < now() - interval '14 days'`)).toBe(0);
  for (let n = 0; n < 12; n++) await addSample(database.pool, one, {}, { days: 14, most: 5 });
  expect(await count('true')).toBeLessThanOrEqual(6);
  const { rows } = await database.pool.query(`SELECT FROM gateway.process WHERE host = 'gone'`);
  expect(rows.length).toBe(0);
});

test('a process writes down what it measures, and goes on where a sample fails', async () => {
  let fails = true;
  const warned: unknown[] = [];
  const stop = startSampler({
    db: {
      query: (...sent: [never]) => (fails ? Promise.reject(new Error('away')) : database.pool.query(...sent)),
    },
    requests: () => NONE,
    everySeconds: 1,
    kept: KEPT,
    log: Object.assign(Object.create(testLog) as typeof testLog, {
      warn: (...said: unknown[]) => warned.push(said),
    }),
  });
  await eventually(
    () => Promise.resolve(warned.length),
    (n) => n > 0,
  );
  fails = false;
  const { processes } = await eventually(
    () =>
      read({
        names: ['memory_bytes', 'event_loop_delay_seconds'],
        to: new Date(Date.now() + 60_000).toISOString(),
      }),
    ({ series, processes: seen }) =>
      seen.some(({ pid }) => pid === process.pid) &&
      series.some(({ name }) => name === 'event_loop_delay_seconds'),
  );
  await stop();
  expect([processes.some(({ pid }) => pid === process.pid), warned.length]).toEqual([true, 1]);
});

test('rates are what counts grew by, and the time of 95 in 100 lies in its bucket', () => {
  const at = (ms: number, more: Partial<CountsSoFar>): CountsSoFar => ({
    at: ms,
    requests: NONE,
    shed: 0,
    events: 0,
    lockWaits: 0,
    lockWaitSeconds: 0,
    hits: 0,
    misses: 0,
    ...more,
  });
  const counts = [0, 0, 90, 0, 0, 10];
  const seen = rates(
    at(0, {}),
    at(10_000, {
      requests: { count: 100, failed: 5, seconds: 1, counts },
      events: 20,
      lockWaits: 4,
      lockWaitSeconds: 1,
      hits: 3,
      misses: 1,
    }),
  );
  expect(seen).toMatchObject({
    requests_per_second: 10,
    errors_per_second: 0.5,
    log_events_per_second: 2,
    log_lock_wait_seconds: 0.25,
    cache_hit_ratio: 0.75,
  });
  expect(seen.latency_p95_seconds).toBeGreaterThan(0.025);
  expect(seen.latency_p95_seconds).toBeLessThan(0.05);
  expect(rates(at(0, {}), at(1000, {}))).not.toHaveProperty('latency_p95_seconds');
});

test.each([
  [{ names: ['none'] }, ADMIN, 'invalid_request'],
  [{ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, ADMIN, 'invalid_request'],
  [{ from: '2020-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }, ADMIN, 'invalid_request'],
  [{ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', step: 1 }, ADMIN, 'invalid_request'],
  [{ step: 0 }, ADMIN, 'invalid_request'],
  [{}, { ...ADMIN, projects: ['alpha'] }, 'project_scope_denied'],
] as const)('%j of %j is refused', async (query, caller, code) => {
  await expect(read(query, caller)).rejects.toMatchObject({ code });
});

test('where nothing is kept, that is said', async () => {
  await expect(
    createSystemMetrics(database.pool, false).read({ names: null, from: null, to: null, step: null }, ADMIN),
  ).rejects.toMatchObject({ code: 'conflict' });
});
