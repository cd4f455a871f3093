// docs/reference/workflow.md#retention: what one statement deletes, and kinds of which one fails.
import { expect, test } from 'vitest';
import type { Queryable } from '../../platform/queryable.ts';
import { DatabaseClock } from '../../subgraphs/workflow/jobs/database-clock.ts';
import { retentionJobs } from '../../subgraphs/workflow/runs/retention-jobs.ts';
import { forget } from '../../subgraphs/workflow/runs/retention.store.ts';
import { freshDatabase, testLog } from '../testkit/database.ts';

const OLD_RUNS = `INSERT INTO workflow.run (id, action, cause, status, actor, queued_at, finished_at)
  SELECT 'r' || i, '{}', '{}', 'failed', 'a', clock_timestamp() - interval '9 days', clock_timestamp() - interval '9 days' FROM generate_series(1, 120) i`;

test('one statement deletes the logs of fifty runs at most', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  await pool.query(OLD_RUNS);
  await pool.query(
    `INSERT INTO workflow.run_log (run_id, number, attempt, level, at, message, size)
     SELECT r.id, n, 1, 'info', clock_timestamp(), 'x', n FROM workflow.run r, generate_series(1, 20) n`,
  );
  const gone: (number | null)[] = [];
  const noting = {
    query: async (text: string, values: unknown[]) => {
      const result = await pool.query(text, values);
      gone.push(result.rowCount);
      return result;
    },
  } as Queryable;
  expect(await forget(noting, 'runs', 3)).toBe(120);
  expect(gone).toEqual([50, 50, 20]);
  expect((await pool.query('SELECT FROM workflow.run_log')).rowCount).toBe(0);
});

test('what cannot be deleted keeps nothing else', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  await pool.query(OLD_RUNS);
  await pool.query(
    `INSERT INTO workflow.observation (trigger_name, kind, verdict, subject, at) VALUES ('t', 'tick', 'fired', '{}', clock_timestamp() - interval '9 days')`,
  );
  const days = { runs: Number.NaN, firings: 3, observations: 3, deliveries: 3, past: 3 };
  const job = retentionJobs(pool, days, testLog);
  const clock = new DatabaseClock(pool);
  await clock.measure();
  await expect(job.perform('old', clock)).rejects.toThrow('retention failed: error: ');
  expect((await pool.query('SELECT FROM workflow.run')).rowCount).toBe(120);
  expect((await pool.query('SELECT FROM workflow.observation')).rowCount).toBe(0);
  const next = await retentionJobs(pool, { ...days, runs: 3 }, testLog).perform('old', clock);
  expect(next.getTime()).toBeGreaterThan(clock.now());
  expect((await pool.query('SELECT FROM workflow.run')).rowCount).toBe(0);
});
