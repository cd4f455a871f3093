// Agenda over our database: jobs continue despite failures of clocks, connections and processes.
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { keepJobs } from '../../subgraphs/workflow/jobs/jobs.store.ts';
import { type JobKind, startJobs } from '../../subgraphs/workflow/jobs/start-jobs.ts';
import { asSuperuser, freshDatabase } from '../testkit/database.ts';
import { eventually } from './workflow-server.ts';

const log = pino({ level: 'silent' });
afterEach(() => {
  vi.useRealTimers();
});

/** Records when it is called, in the database's time, and asks to be called again after `everyMs`. */
function noting(everyMs = 400): JobKind & { readonly calls: { key: string; at: number }[] } {
  const calls: { key: string; at: number }[] = [];
  return {
    name: 'tick',
    keys: ['a', 'b'],
    calls,
    perform: async (key, clock) => {
      calls.push({ key, at: clock.now() });
      return new Date(clock.now() + everyMs);
    },
  };
}

test.each([
  ['ahead', 3_600_000],
  ['behind', -3_600_000],
])("a process whose clock is an hour %s keeps the database's time", async (_, ms) => {
  await using database = await freshDatabase();
  const started = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: started + ms, shouldAdvanceTime: false });
  const advance = setInterval(() => {
    vi.setSystemTime(started + ms + performance.now() - from);
  }, 5);
  const from = performance.now();
  const kind = noting();
  const jobs = await startJobs({ pool: database.pool, kinds: [kind], log });
  await eventually(
    async () => kind.calls.length,
    (n) => n >= 6,
  );
  await jobs.close();
  clearInterval(advance);
  vi.useRealTimers();
  expect(kind.calls.every((call) => Math.abs(call.at - started) < 60_000)).toBe(true);
  const { rows } = await database.pool.query<{ near: boolean }>(
    'SELECT abs(extract(epoch FROM next_run_at - clock_timestamp())) < 60 AS near FROM workflow.agenda_jobs',
  );
  expect(rows).toEqual([{ near: true }, { near: true }]);
});

test('repeatedly lost connections end neither the process nor its jobs', async () => {
  await using database = await freshDatabase();
  const kind = noting(100);
  const jobs = await startJobs({ pool: database.pool, kinds: [kind], log });
  const {
    rows: [row],
  } = await database.pool.query<{ name: string }>('SELECT current_database() AS name');
  for (const isBack of [true, false, true, false, true]) {
    // briefly, or for longer than the polling interval of jobs
    await asSuperuser(`ALTER DATABASE ${row?.name} ALLOW_CONNECTIONS ${isBack}`);
    await asSuperuser(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${row?.name}'`,
    );
    await sleep(isBack ? 200 : 2500);
  }
  const before = kind.calls.length;
  await eventually(
    async () => kind.calls.length,
    (n) => n > before + 4,
    20_000,
  );
  await jobs.close();
});

test('jobs of a killed process are taken by another process when its lock expires', async () => {
  await using database = await freshDatabase();
  await keepJobs(database.pool, 'tick', ['a', 'b']);
  await database.pool.query(
    "UPDATE workflow.agenda_jobs SET locked_at = clock_timestamp() - interval '6 seconds', next_run_at = NULL, last_modified_by = 'killed' WHERE data->>'key' = 'a'",
  );
  const kind: JobKind & ReturnType<typeof noting> = { ...noting(), keys: ['b'] };
  // it does not know `a` and only postpones it
  const jobs = await startJobs({ pool: database.pool, kinds: [kind], log });
  await eventually(
    async () =>
      (
        await database.pool.query<{ free: boolean }>(
          "SELECT locked_at IS NULL AND next_run_at IS NOT NULL AS free FROM workflow.agenda_jobs WHERE data->>'key' = 'a'",
        )
      ).rows[0]?.free,
    Boolean,
  );
  await jobs.close();
  expect(new Set(kind.calls.map((call) => call.key))).toEqual(new Set(['b']));
});

test('a process that stops releases its jobs at once', async () => {
  await using database = await freshDatabase();
  const jobs = await startJobs({ pool: database.pool, kinds: [noting(900)], log });
  await sleep(300);
  await jobs.close();
  expect(
    (
      await database.pool.query(
        'SELECT 1 FROM workflow.agenda_jobs WHERE locked_at IS NOT NULL OR next_run_at IS NULL',
      )
    ).rowCount,
  ).toBe(0);
});
