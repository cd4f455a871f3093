// docs/reference/workflow.md#schedules: ticks with one clock and several processes.
import { expect, test } from 'vitest';
import { pino } from 'pino';
import { trigger } from '../../platform/config/trigger-definition.ts';
import { faultOfCron, ticksSince } from '../../subgraphs/workflow/trigger-model/cron.ts';
import { DatabaseClock } from '../../subgraphs/workflow/jobs/database-clock.ts';
import { startJobs } from '../../subgraphs/workflow/jobs/start-jobs.ts';
import { tickJobs } from '../../subgraphs/workflow/schedules/tick-jobs.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { triggerDefinition } from '../../subgraphs/workflow/trigger-model/trigger-definition.ts';
import { rememberTriggers } from '../../subgraphs/workflow/triggers/triggers.store.ts';
import { freshDatabase } from '../testkit/database.ts';
import { eventually } from './workflow-server.ts';

const log = pino({ level: 'silent' });
const scheduled = (schedule: string) =>
  trigger({ env: {}, directory: '/' }).parse({
    name: 'tick',
    type: 'schedule',
    schedule,
    action: { type: 'ingest', adapter: 'a' },
  });

async function bench(schedule: string) {
  const database = await freshDatabase({ poolSize: 20 });
  const { pool } = database;
  const tick = scheduled(schedule);
  const remember = () =>
    rememberTriggers(pool, [
      { name: 'tick', type: 'schedule', definition: triggerDefinition(tick), status: 'scheduled' },
    ]);
  await remember();
  const kind = () =>
    tickJobs({ db: pool, transact: (work) => inTransaction(pool, work), triggers: [tick], log });
  return {
    database,
    remember,
    kind,
    scheduler: () => startJobs({ pool, log, kinds: [kind()] }),
    sql: (text: string, values?: unknown[]) => pool.query(text, values),
    runs: async () =>
      (
        await pool.query<{ status: string; tick: string }>(
          `SELECT status, cause->>'tick' AS tick FROM workflow.run ORDER BY queued_at`,
        )
      ).rows,
    [Symbol.asyncDispose]: () => database.close(),
  };
}

test('every second, three processes: each tick fires once', async () => {
  await using it = await bench('* * * * * *');
  const free = setInterval(
    () => void it.sql(`UPDATE workflow.run SET status = 'success' WHERE status = 'queued'`),
    20,
  );
  const schedulers = await Promise.all([it.scheduler(), it.scheduler(), it.scheduler()]);
  const runs = await eventually(it.runs, (all) => all.length >= 4);
  await Promise.all(schedulers.map((scheduler) => scheduler.close()));
  clearInterval(free);
  const ticks = runs.map((run) => Date.parse(run.tick));
  expect(new Set(ticks).size).toBe(ticks.length);
  // in sequence: of ticks that no process checked in time, only the latest counts
  expect(ticks).toEqual([...ticks].sort((a, b) => a - b));
});

test('a tick that ten processes come upon at the same moment fires once', async () => {
  // two processes may run a job after its lock has expired
  await using it = await bench('0 0 1 1 *');
  await it.sql(`UPDATE workflow.trigger SET updated_at = now() - interval '3 years'`);
  const clock = new DatabaseClock(it.database.pool);
  await clock.measure();
  // all connections are open: none is delayed
  await Promise.all(Array.from({ length: 20 }, () => it.sql('SELECT pg_sleep(0.1)')));
  await Promise.all(Array.from({ length: 10 }, () => it.kind().perform('tick', clock)));
  expect(await it.runs()).toEqual([
    { status: 'queued', tick: expect.stringMatching(/-01-01T00:00:00\.000000Z$/) as string },
  ]);
});

test('a process that takes over from another, as when the configuration is taken anew, fires no tick twice and goes on', async () => {
  await using it = await bench('* * * * * *');
  const free = setInterval(
    () => void it.sql(`UPDATE workflow.run SET status = 'success' WHERE status = 'queued'`),
    20,
  );
  let current = await it.scheduler();
  for (let i = 0; i < 3; i++) {
    await eventually(it.runs, (all) => all.length > i * 2);
    await it.remember(); // the same definition: its time is unchanged
    const next = await it.scheduler();
    await current.close();
    current = next;
  }
  const runs = await eventually(it.runs, (all) => all.length >= 7);
  await current.close();
  clearInterval(free);
  const ticks = runs.map((run) => Date.parse(run.tick));
  expect(new Set(ticks).size).toBe(ticks.length);
  expect(ticks).toEqual([...ticks].sort((a, b) => a - b));
});

test('a tick that was missed while the server was down runs once at the start', async () => {
  await using it = await bench('0 0 1 1 *');
  await it.sql(`UPDATE workflow.trigger SET updated_at = now() - interval '3 years'`);
  const schedulers = await Promise.all([it.scheduler(), it.scheduler()]);
  const runs = await eventually(it.runs, (all) => all.length > 0);
  await Promise.all(schedulers.map((scheduler) => scheduler.close()));
  expect(runs).toHaveLength(1);
  expect(runs[0]?.tick).toMatch(/^\d{4}-01-01T00:00:00/);
  const again = await it.scheduler();
  await again.close();
  expect(await it.runs()).toHaveLength(1);
});

test('firings of a poll that had the name before are no ticks', async () => {
  await using it = await bench('* * * * * *');
  await it.sql(
    `INSERT INTO workflow.firing (trigger_name, firing_key, run_id) VALUES ('tick', 'sample:1@2026-01-31T09:30:00.000001Z', 'r')`,
  );
  const scheduler = await it.scheduler();
  await eventually(it.runs, (all) => all.length > 0);
  await scheduler.close();
});

test('a new trigger does not fire for times before it was configured', async () => {
  await using it = await bench('0 0 1 1 *');
  await it.remember(); // unchanged: its time is unchanged
  const scheduler = await it.scheduler();
  await scheduler.close();
  expect(await it.runs()).toEqual([]);
});

test('a tick that finds the run before it still going on is skipped, and logged as such', async () => {
  await using it = await bench('* * * * * *');
  const scheduler = await it.scheduler();
  const runs = await eventually(it.runs, (all) => all.length >= 3);
  await scheduler.close();
  expect(runs.map((run) => run.status).slice(0, 3)).toEqual(['queued', 'skipped', 'skipped']);
});

test('ticks follow the wall clock of their zone, through both changes of it, whenever they are looked for', () => {
  const fired = (expression: string, from: string, until: string, stepMinutes: number): string[] => {
    const ticks: string[] = [];
    let after = new Date(from);
    for (let now = Date.parse(from); now <= Date.parse(until); now += stepMinutes * 60_000) {
      const { latest, next } = ticksSince(expression, 'Europe/Berlin', after, new Date(now));
      expect(next === null || next.getTime() > now).toBe(true);
      const last = latest.at(-1);
      if (last === undefined) continue;
      ticks.push(last.toISOString().slice(5, 16));
      after = last;
    }
    return ticks;
  };
  for (const step of [10, 35]) {
    // however often it is checked, also in the minutes of the change
    expect(fired('30 2 * * *', '2026-03-27T20:00:00Z', '2026-03-30T02:00:00Z', step)).toEqual([
      '03-28T01:30',
      '03-29T01:30',
      '03-30T00:30',
    ]);
    expect(fired('30 2 * * *', '2026-10-23T20:00:00Z', '2026-10-26T02:00:00Z', step)).toEqual([
      '10-24T00:30',
      '10-25T00:30',
      '10-26T01:30',
    ]);
  }
  expect(fired('30 * * * *', '2026-10-24T23:00:00Z', '2026-10-25T03:00:00Z', 5)).toEqual([
    '10-24T23:30',
    '10-25T00:30',
    '10-25T01:30',
    '10-25T02:30',
  ]);
  expect(
    ticksSince('* * * * * *', 'UTC', new Date('2024-01-01T00:00:00Z'), new Date('2026-01-01T00:00:00.500Z')),
  ).toEqual({
    latest: Array.from({ length: 1000 }, (_, i) => new Date(Date.parse('2025-12-31T23:43:21Z') + i * 1000)),
    next: new Date('2026-01-01T00:00:01Z'),
  });
  expect(
    ticksSince(
      '0 0 1 1 *',
      'UTC',
      new Date('2020-06-01T00:00:00Z'),
      new Date('2026-01-01T00:00:00Z'),
    ).latest.at(-1),
  ).toEqual(new Date('2026-01-01T00:00:00Z')); // the exact instant counts
});

test('invalid cron expressions are reported in words', () => {
  for (const [text, fault] of [
    ['* * * *', /five fields/],
    ['* * * * * * *', /five fields/],
    ['@daily', /five or six/],
    ['61 * * * *', /is not a cron expression/],
    ['a b c d e', /is not a cron expression/],
    ['H 3 * * *', /random value/],
  ] as const) {
    expect(faultOfCron(text, 'UTC'), text).toMatch(fault);
  }
  for (const text of ['*/5 * * * *', '0 3 * * 1-5', '*/10 * * * * *', '0 0 29 2 *'])
    expect(faultOfCron(text, 'Europe/Berlin'), text).toBeNull();
});
