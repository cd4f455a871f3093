// Cron over days, daylight saving, downtime and clock changes, with a PostgreSQL whose clock is set by
// libfaketime (Debian package `faketime`).
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { trigger } from '../../platform/config/trigger-definition.ts';
import type { Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { type Jobs, startJobs } from '../../subgraphs/workflow/jobs/start-jobs.ts';
import { tickJobs } from '../../subgraphs/workflow/schedules/tick-jobs.ts';
import { triggerDefinition } from '../../subgraphs/workflow/trigger-model/trigger-definition.ts';
import { rememberTriggers } from '../../subgraphs/workflow/triggers/triggers.store.ts';
import { FAKETIME, type FakedPostgres, fakedPostgres } from '../testkit/faked-postgres.ts';
import { eventually } from './workflow-server.ts';

const timed = test.skipIf(FAKETIME === undefined);

const log = pino({ level: 'silent' });
let postgres: FakedPostgres | undefined;
const setClock = (instant: string): void => {
  postgres?.setClock(instant);
};
const db = (): Database => {
  if (!postgres) throw new Error('the database did not start');
  return postgres.database;
};

beforeAll(async () => {
  if (FAKETIME !== undefined) postgres = await fakedPostgres('2026-03-26T00:00:00Z');
});
afterAll(() => postgres?.[Symbol.asyncDispose](), 60_000);
const forget = async (): Promise<void> => {
  for (const table of ['trigger', 'firing', 'run', 'agenda_jobs', 'observation'])
    await postgres?.database.pool.query(`DELETE FROM workflow.${table}`);
};
beforeEach(forget);

async function schedule(expression: string, timezone: string, from: string): Promise<() => Promise<Jobs>> {
  setClock(from);
  const { pool } = db();
  const tick = trigger({ env: {}, directory: '/' }).parse({
    name: 'tick',
    type: 'schedule',
    schedule: expression,
    timezone,
    action: { type: 'ingest', adapter: 'a' },
  });
  await rememberTriggers(pool, [
    { name: 'tick', type: 'schedule', definition: triggerDefinition(tick), status: 'scheduled' },
  ]);
  return () =>
    startJobs({
      pool,
      log,
      kinds: [tickJobs({ db: pool, transact: (work) => inTransaction(pool, work), triggers: [tick], log })],
    });
}
const ticks = async (): Promise<string[]> => {
  const { pool } = db();
  await pool.query(`UPDATE workflow.run SET status = 'success' WHERE status = 'queued'`);
  return (
    await pool.query<{ tick: string }>(
      `SELECT cause->>'tick' AS tick FROM workflow.run ORDER BY queued_at, id`,
    )
  ).rows.map((row) => row.tick);
};

timed(
  "every day once, through both changes of daylight saving, at the wall clock's time where it has one",
  async () => {
    for (const [moments, expected] of [
      [
        ['2026-03-28T01:29:59Z', '2026-03-29T01:29:59Z', '2026-03-30T00:29:59Z'],
        ['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30'],
      ],
      [
        ['2026-10-24T00:29:59Z', '2026-10-25T00:29:59Z', '2026-10-25T01:29:59Z', '2026-10-26T01:29:59Z'],
        ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'],
      ], // half past two occurs twice
    ] as const) {
      await forget();
      const jobs = await (
        await schedule('30 2 * * *', 'Europe/Berlin', `${moments[0].slice(0, 10)}T00:00:00Z`)
      )();
      try {
        for (const moment of moments) {
          setClock(moment);
          const wanted = expected.filter((at) => at <= moment.slice(0, 14).concat('30')).length;
          await eventually(ticks, (all) => all.length >= wanted, 15_000);
          await sleep(2500); // and nothing else
        }
        expect((await ticks()).map((at) => at.slice(0, 16))).toEqual(expected);
      } finally {
        await jobs.close();
      }
    }
  },
);

timed(
  'three days of downtime are one run at the start; a clock set back fires nothing twice, one set on goes on',
  async () => {
    const start = await schedule('0 * * * *', 'UTC', '2026-05-01T10:30:00Z');
    const first = await start();
    setClock('2026-05-01T10:59:59Z');
    await eventually(ticks, (all) => all.length === 1, 15_000);
    await first.close();
    setClock('2026-05-04T15:20:00Z');
    const second = await start();
    expect(await eventually(ticks, (all) => all.length === 2, 15_000)).toEqual([
      '2026-05-01T11:00:00.000000Z',
      '2026-05-04T15:00:00.000000Z',
    ]);
    setClock('2026-05-04T14:59:58Z'); // a past hour
    await sleep(6000);
    expect(await ticks()).toHaveLength(2);
    setClock('2026-05-04T17:59:59Z');
    expect(
      (await eventually(ticks, (all) => all.includes('2026-05-04T18:00:00.000000Z'), 15_000)).at(-1),
    ).toBe('2026-05-04T18:00:00.000000Z');
    expect(new Set(await ticks()).size).toBe((await ticks()).length);
    await second.close();
  },
);
