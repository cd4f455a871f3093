// Cron over days, daylight saving, downtime and clocks that jump, by a PostgreSQL whose clock is set by libfaketime (Debian package `faketime`).
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { trigger } from '../../platform/config/trigger-definition.ts';
import { bootDatabase } from '../../platform/database/boot.ts';
import { connectDatabase, type Database } from '../../platform/database/connect.ts';
import { type EmbeddedServer, startEmbedded } from '../../platform/database/embedded/supervise.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { APP } from '../../platform/database/roles.ts';
import { type Jobs, startJobs } from '../../subgraphs/workflow/jobs/start-jobs.ts';
import { tickJobs } from '../../subgraphs/workflow/schedules/tick-jobs.ts';
import { triggerDefinition } from '../../subgraphs/workflow/triggers/trigger-definition.ts';
import { rememberTriggers } from '../../subgraphs/workflow/triggers/triggers.store.ts';
import { eventually } from './workflow-server.ts';

const LIBRARY = ['x86_64', 'aarch64', 'arm'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/faketime/libfaketime.so.1`).find(existsSync);
if (LIBRARY === undefined) console.warn('SKIPPED: cron against a clock of its own needs libfaketime (Debian: apt-get install faketime)');
const timed = test.skipIf(LIBRARY === undefined);

const log = pino({ level: 'silent' });
const dir = mkdtempSync(path.join(os.tmpdir(), 'cairn-faketime-'));
const clockFile = path.join(dir, 'clock');

/** Sets the server's clock: it goes on from there. */
function setClock(instant: string): void {
  const seconds = (Date.parse(instant) - Date.now()) / 1000;
  writeFileSync(`${clockFile}.new`, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds).toFixed(3)}s\n`, { mode: 0o644 });
  renameSync(`${clockFile}.new`, clockFile);
}

let server: EmbeddedServer | undefined;
let database: Database | undefined;
const db = (): Database => { if (!database) throw new Error('the database did not start'); return database; };

beforeAll(async () => {
  if (LIBRARY === undefined) return;
  chmodSync(dir, 0o755);
  setClock('2026-03-26T00:00:00Z');
  // PostgreSQL is started by the `sh` of the PATH: this one sets its clock
  const faked = [`LD_PRELOAD=${LIBRARY}`, `FAKETIME_TIMESTAMP_FILE=${clockFile}`, 'FAKETIME_NO_CACHE=1', 'FAKETIME_DONT_FAKE_MONOTONIC=1'];
  writeFileSync(path.join(dir, 'sh'), `#!/bin/sh\nexport ${faked.join(' ')}\nexec /bin/sh "$@"\n`, { mode: 0o755 });
  const usual = process.env['PATH'];
  process.env['PATH'] = `${dir}:${usual ?? ''}`;
  try {
    server = await startEmbedded({ dataDir: dir, log, settings: { fsync: 'off' } });
  } finally {
    process.env['PATH'] = usual;
  }
  const url = server.superuserUrl('postgres');
  await bootDatabase({ url, log, appPassword: 'faked' });
  database = connectDatabase({ url: Object.assign(new URL(url), { username: APP, password: 'faked' }).href, applicationName: 'faketime', log });
}, 120_000);
afterAll(async () => {
  await database?.close();
  await server?.release();
  rmSync(dir, { recursive: true, force: true });
}, 60_000);
const forget = async (): Promise<void> => {
  for (const table of ['trigger', 'firing', 'run', 'agenda_jobs', 'observation']) await database?.pool.query(`DELETE FROM workflow.${table}`);
};
beforeEach(forget);

async function schedule(expression: string, timezone: string, from: string): Promise<() => Promise<Jobs>> {
  setClock(from);
  const { pool } = db();
  const tick = trigger({ env: {}, directory: '/' }).parse({ name: 'tick', type: 'schedule', schedule: expression, timezone, action: { type: 'ingest', adapter: 'a' } });
  await rememberTriggers(pool, [{ name: 'tick', type: 'schedule', definition: triggerDefinition(tick), status: 'scheduled' }]);
  return () => startJobs({ pool, log, kinds: [tickJobs({ db: pool, transact: (work) => inTransaction(pool, work), triggers: [tick], log })] });
}
const ticks = async (): Promise<string[]> => {
  const { pool } = db();
  await pool.query(`UPDATE workflow.run SET status = 'success' WHERE status = 'queued'`);
  return (await pool.query<{ tick: string }>(`SELECT cause->>'tick' AS tick FROM workflow.run ORDER BY queued_at, id`)).rows.map((row) => row.tick);
};

timed('every day once, through both changes of daylight saving, at the wall clock\'s time where it has one', async () => {
  for (const [moments, expected] of [
    [['2026-03-28T01:29:59Z', '2026-03-29T01:29:59Z', '2026-03-30T00:29:59Z'], ['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30']],
    [['2026-10-24T00:29:59Z', '2026-10-25T00:29:59Z', '2026-10-25T01:29:59Z', '2026-10-26T01:29:59Z'], ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30']], // half past two comes twice
  ] as const) {
    await forget();
    const jobs = await (await schedule('30 2 * * *', 'Europe/Berlin', `${moments[0].slice(0, 10)}T00:00:00Z`))();
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
}, 90_000);

timed('three days of downtime are one run at the start; a clock set back fires nothing twice, one set on goes on', async () => {
  const start = await schedule('0 * * * *', 'UTC', '2026-05-01T10:30:00Z');
  const first = await start();
  setClock('2026-05-01T10:59:59Z');
  await eventually(ticks, (all) => all.length === 1, 15_000);
  await first.close();
  setClock('2026-05-04T15:20:00Z');
  const second = await start();
  expect(await eventually(ticks, (all) => all.length === 2, 15_000)).toEqual(['2026-05-01T11:00:00.000Z', '2026-05-04T15:00:00.000Z']);
  setClock('2026-05-04T14:59:58Z'); // an hour that has been
  await sleep(6000);
  expect(await ticks()).toHaveLength(2);
  setClock('2026-05-04T17:59:59Z');
  expect((await eventually(ticks, (all) => all.includes('2026-05-04T18:00:00.000Z'), 15_000)).at(-1)).toBe('2026-05-04T18:00:00.000Z');
  expect(new Set(await ticks()).size).toBe((await ticks()).length);
  await second.close();
}, 90_000);
