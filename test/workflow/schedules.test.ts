// Spec 3 «Trigger transitions» 1, contract 3 «Cron»: ticks under one clock and several processes.
import { expect, test } from 'vitest';
import { pino } from 'pino';
import { trigger } from '../../platform/config/trigger-definition.ts';
import { faultOfCron, lastTick } from '../../subgraphs/workflow/schedules/cron.ts';
import { startScheduler } from '../../subgraphs/workflow/schedules/scheduler.ts';
import { inTransaction } from '../../subgraphs/workflow/transaction.ts';
import { triggerDefinition } from '../../subgraphs/workflow/triggers/trigger-definition.ts';
import { rememberTriggers } from '../../subgraphs/workflow/triggers/triggers.store.ts';
import { freshDatabase } from '../testkit/database.ts';
import { eventually } from './workflow-server.ts';

const scheduled = (schedule: string) => trigger({ env: {}, directory: '/' }).parse({ name: 'tick', type: 'schedule', schedule, action: { type: 'ingest', adapter: 'a' } });

async function bench(schedule: string) {
  const database = await freshDatabase({ poolSize: 20 });
  const { pool } = database;
  const tick = scheduled(schedule);
  const remember = () => rememberTriggers(pool, [{ name: 'tick', type: 'schedule', definition: triggerDefinition(tick), status: 'scheduled' }]);
  await remember();
  return {
    database, remember,
    scheduler: () => startScheduler({ db: pool, transact: (work) => inTransaction(pool, work), triggers: [tick], log: pino({ level: 'silent' }), everyMs: 50 }),
    sql: (text: string, values?: unknown[]) => pool.query(text, values),
    runs: async () => (await pool.query<{ status: string; tick: string }>(`SELECT status, cause->>'tick' AS tick FROM workflow.run ORDER BY queued_at`)).rows,
    [Symbol.asyncDispose]: () => database.close(),
  };
}

test('every second, three processes: each tick fires once', async () => {
  await using it = await bench('* * * * * *');
  const free = setInterval(() => void it.sql(`UPDATE workflow.run SET status = 'success' WHERE status = 'queued'`), 20);
  const schedulers = await Promise.all([it.scheduler(), it.scheduler(), it.scheduler()]);
  const runs = await eventually(it.runs, (all) => all.length >= 4);
  await Promise.all(schedulers.map((scheduler) => scheduler.close()));
  clearInterval(free);
  const ticks = runs.map((run) => Date.parse(run.tick));
  expect(new Set(ticks).size).toBe(ticks.length);
  for (const [i, at] of ticks.entries()) if (i > 0) expect(at - (ticks[i - 1] ?? 0)).toBe(1000);
});

test('what was missed while the platform was down runs once at the start', async () => {
  await using it = await bench('0 * * * *');
  await it.sql(`UPDATE workflow.trigger SET updated_at = now() - interval '3 days'`);
  const schedulers = await Promise.all([it.scheduler(), it.scheduler()]);
  const runs = await eventually(it.runs, (all) => all.length > 0);
  await Promise.all(schedulers.map((scheduler) => scheduler.close()));
  expect(runs).toHaveLength(1);
  expect(new Date(runs[0]?.tick ?? '').getMinutes()).toBe(0);
  const again = await it.scheduler();
  await again.close();
  expect(await it.runs()).toHaveLength(1);
});

test('a new trigger does not fire for times before it was configured', async () => {
  await using it = await bench('0 0 1 1 *');
  await it.remember(); // unchanged: it keeps the time since when it holds
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

test('ticks follow the wall clock of their zone, through both changes of it', () => {
  const at = (now: string) => lastTick('30 2 * * *', 'Europe/Berlin', new Date(now))?.toISOString();
  expect(at('2026-03-28T12:00:00Z')).toBe('2026-03-28T01:30:00.000Z');
  expect(at('2026-07-01T00:30:00Z')).toBe('2026-07-01T00:30:00.000Z'); // the very instant counts
  expect(at('2026-11-01T12:00:00Z')).toBe('2026-11-01T01:30:00.000Z');
});

test('expressions that are none are told in words', () => {
  for (const [text, fault] of [['* * * *', /five fields/], ['* * * * * * *', /five fields/], ['@daily', /five or six/], ['61 * * * *', /no cron expression/], ['a b c d e', /no cron expression/]] as const) {
    expect(faultOfCron(text, 'UTC'), text).toMatch(fault);
  }
  for (const text of ['*/5 * * * *', '0 3 * * 1-5', '*/10 * * * * *', '0 0 29 2 *']) expect(faultOfCron(text, 'Europe/Berlin'), text).toBeNull();
});
