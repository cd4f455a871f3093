// Interrupted runs are retried, failed deliveries can be listed and redelivered, missed ticks are caught up
// with as configured, and a poll that cannot work reports it.
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { adapter } from '../../platform/config/adapter-definition.ts';
import { trigger } from '../../platform/config/trigger-definition.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { type EngineOptions, startEngine } from '../../subgraphs/workflow/engine/engine.ts';
import { DatabaseClock } from '../../subgraphs/workflow/jobs/database-clock.ts';
import type { Execute } from '../../subgraphs/workflow/deps.ts';
import { runOf } from '../../subgraphs/workflow/run-records/new-run.ts';
import {
  claimRuns,
  insertRun,
  lastCompleteStart,
} from '../../subgraphs/workflow/run-records/run-queue.store.ts';
import { tickJobs } from '../../subgraphs/workflow/schedules/tick-jobs.ts';
import { triggerDefinition } from '../../subgraphs/workflow/trigger-model/trigger-definition.ts';
import { rememberTriggers } from '../../subgraphs/workflow/triggers/triggers.store.ts';
import { freshDatabase } from '../testkit/database.ts';
import { allRuns, eventually, settledRun, workflowServer } from './workflow-server.ts';

const scope = { env: { LAB: 'hush' }, directory: '/' };
const log = pino({ level: 'silent' });
const ingest = { type: 'ingest', adapter: 'a' };

async function folder(): Promise<string> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'cairn-retries-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function bench(
  definition: Record<string, unknown>,
  execute: Execute,
  more: Partial<EngineOptions> = {},
) {
  const source = path.join(await folder(), 'a.jsonl');
  await writeFile(source, '{"id":"s1"}\n');
  const database = await freshDatabase({ poolSize: 10 });
  const one = trigger(scope).parse({
    name: 'one',
    action: ingest,
    on_failure: { emit: 'broke' },
    ...definition,
  });
  const after = trigger(scope).parse({
    name: 'after',
    type: 'internal_event',
    event: 'broke',
    retry: { attempts: 1 },
    action: ingest,
  });
  return {
    database,
    one,
    engine: () =>
      startEngine({
        pool: database.pool,
        listen: database.listen,
        executeAs: () => execute,
        triggers: [one, after],
        log,
        sweepMs: 50,
        adapters: [
          adapter(scope).parse({
            name: 'a',
            type: 'jsonl',
            entity_type: 'Sample',
            source,
            map: { id: 'row.id' },
          }),
        ],
        ...more,
      }),
    queue: () => insertRun(database.pool, runOf(one, { cause: {} })),
    /** Like a worker that is killed at once. */
    lose: () =>
      claimRuns(database.pool, { owner: 'a worker that dies', configuration: null }, { most: 1, leaseMs: 1 }),
    runs: async () =>
      (
        await database.pool.query<{
          name: string;
          status: string;
          attempt: number;
          errors: { type: string }[];
          records_created: number;
          waits: boolean;
        }>(
          `SELECT trigger_name AS name, status, attempt, errors, records_created, not_before > clock_timestamp() AS waits FROM workflow.run ORDER BY queued_at, id`,
        )
      ).rows,
    [Symbol.asyncDispose]: () => database.close(),
  };
}

const accepts: Execute = async (_, { entities }) => {
  const sent = entities as { data: { id: string } }[];
  return {
    ingestEntities: {
      created: sent.length,
      updated: 0,
      unchanged: 0,
      results: sent.map(({ data }) => ({ id: data.id })),
      errors: [],
    },
  };
};

const WEBHOOK = { type: 'webhook', path: 'hooks/x', secret_env: 'LAB' };

test('a run whose worker was killed is tried again, as the same run, and tells of it', async () => {
  await using it = await bench({ ...WEBHOOK, retry: { backoff: 0 } }, accepts);
  await it.queue();
  await it.lose();
  const engines = await Promise.all([it.engine(), it.engine(), it.engine()]);
  const [run, ...others] = await eventually(it.runs, (all) => all[0]?.status === 'success');
  expect(others).toEqual([]);
  expect(run).toMatchObject({ attempt: 2, records_created: 1, errors: [{ type: 'WorkerLost' }] });
  await Promise.all(engines.map((engine) => engine.close()));
});

test('a run waits between attempts, fails after the last, and only then emits its event; failures of its action are retried only if configured', async () => {
  await using it = await bench({ ...WEBHOOK, retry: { attempts: 3, backoff: 3600 } }, accepts);
  await it.queue();
  for (const attempt of [2, 3]) {
    await it.lose();
    const engine = await it.engine();
    await eventually(it.runs, ([run]) => run?.attempt === attempt);
    expect(await it.runs()).toMatchObject([{ status: 'queued', waits: true }]);
    await engine.close();
    await it.database.pool.query('UPDATE workflow.run SET not_before = NULL');
  }
  await it.lose();
  const engine = await it.engine();
  const runs = await eventually(it.runs, (all) => all.length === 2 && all[1]?.status === 'success');
  expect(runs[0]).toMatchObject({
    status: 'failed',
    attempt: 3,
    errors: [{ type: 'WorkerLost' }, { type: 'WorkerLost' }, { type: 'WorkerLost' }],
  });
  await engine.close();

  for (const [on, calls, attempt] of [
    ['interrupted', 1, 1],
    ['failed', 2, 2],
  ] as const) {
    let called = 0;
    const breaks: Execute = async () => {
      called++;
      throw new Error('metadata is away');
    };
    await using failing = await bench(
      { type: 'manual', retry: { attempts: 2, backoff: 0, on }, on_failure: undefined },
      breaks,
    );
    await failing.queue();
    const working = await failing.engine();
    expect(await eventually(failing.runs, ([run]) => run?.status === 'failed')).toMatchObject([{ attempt }]);
    expect(called).toBe(calls);
    await working.close();
  }
});

test("a run that the stop of its process broke off goes on in the next; a schedule's is left to its next tick", async () => {
  const never: Execute = (_document, _variables, signal) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => {
        reject(new Error('gone'));
      });
    });
  for (const [definition, status] of [
    [{ type: 'manual', retry: { backoff: 0 } }, 'queued'],
    [{ type: 'schedule', schedule: '0 0 1 1 *' }, 'failed'],
  ] as const) {
    await using it = await bench({ ...definition, on_failure: undefined }, never, { graceMs: 50 });
    await it.queue();
    const engine = await it.engine();
    await eventually(it.runs, ([run]) => run?.status === 'running');
    await engine.close();
    expect(await it.runs()).toMatchObject([{ status, errors: [{ type: 'Stopped' }] }]);
  }
});

test('an incremental pull begins at the last run that kept all it was given', async () => {
  await using it = await bench({ type: 'manual' }, accepts);
  const run = (id: string, status: string, minute: number) =>
    it.database.pool.query(
      `INSERT INTO workflow.run (id, trigger_name, adapter, action, cause, status, actor, queued_at, started_at) VALUES ($1, 'one', 'a', '{}', '{}', $2, 'service:workflow', $3, $3)`,
      [id, status, `2026-01-01T00:0${minute}:00Z`],
    );
  await run('r1', 'success', 1);
  await run('r2', 'partial_success', 2);
  await run('r3', 'failed', 3);
  expect(await lastCompleteStart(it.database.pool, 'one', 'a')).toBe('2026-01-01T00:01:00.000000Z');
});

test('ticks that were missed run once, each, or not at all, as it is configured, and no tick twice', async () => {
  for (const [catchUp, ticks, statuses] of [
    ['one', 1, ['queued']],
    ['all', 5, ['queued']],
    ['skip', 1, ['skipped']],
  ] as const) {
    await using database = await freshDatabase({ poolSize: 10 });
    const { pool } = database;
    const hourly = trigger(scope).parse({
      name: 'tick',
      type: 'schedule',
      schedule: '0 * * * *',
      catch_up: catchUp,
      action: ingest,
    });
    await rememberTriggers(pool, [
      { name: 'tick', type: 'schedule', definition: triggerDefinition(hourly), status: 'scheduled' },
    ]);
    await pool.query(
      `UPDATE workflow.trigger SET updated_at = date_trunc('hour', now()) - interval '4 hours 1 minute'`,
    );
    await pool.query(
      `SELECT pg_sleep(greatest(0, 15 - extract(epoch FROM now() - date_trunc('hour', now()))))`,
    ); // outside the grace period of a tick
    const clock = new DatabaseClock(pool);
    await clock.measure();
    const kind = () =>
      tickJobs({ db: pool, transact: (work) => inTransaction(pool, work), triggers: [hourly], log });
    await Promise.all(Array.from({ length: 4 }, () => kind().perform('tick', clock)));
    await kind().perform('tick', clock);
    const { rows } = await pool.query<{ tick: string; status: string }>(
      `SELECT cause->>'tick' AS tick, status FROM workflow.run ORDER BY 1`,
    );
    expect([catchUp, new Set(rows.map((row) => row.tick)).size, rows.length]).toEqual([
      catchUp,
      ticks,
      ticks,
    ]);
    expect([...new Set(rows.map((row) => row.status))]).toEqual(statuses);
    if (catchUp === 'skip')
      expect((await pool.query('SELECT verdict FROM workflow.observation')).rows).toEqual([
        { verdict: 'missed' },
      ]);
  }
}, 90_000);

test('a poll over a type that is not there is a degraded trigger and a degraded component, told once, and recovers by itself', async () => {
  const dir = await folder();
  const source = path.join(dir, 'a.jsonl');
  await writeFile(source, '{"id":"s1"}\n');
  await using server = await workflowServer(
    `observability: {health: {cache_seconds: 1}}
workflow:
  triggers:
    - {name: lost, type: metadata_poll, poll: {entity_type: Nowhere, interval_seconds: 1}, action: {type: ingest, adapter: a}}
    - {name: hook, type: webhook, path: hooks/lab, secret_env: LAB, action: {type: ingest, adapter: none}}
  adapters:
    - {name: a, type: jsonl, entity_type: Sample, source: ${source}, map: {id: row.id}}
    - {name: none, type: jsonl, entity_type: Sample, source: ${dir}/later.jsonl, map: {id: row.id}}
`,
    { LAB: 'hush' },
  );
  const status = async (): Promise<{ status: string; problem?: string }> =>
    (await server.rest('GET', '/api/v1/workflow/triggers/lost')).body;
  const degraded = await eventually(status, (one) => one.status === 'degraded');
  expect(degraded.problem).toContain('Nowhere');
  const health = await eventually(
    async () => (await server.rest('GET', '/api/v1/gateway/health')).body.components.workflow,
    (one) => one.detail === 'triggers_degraded',
  ); // a slow machine may be degraded for other reasons
  expect(health).toMatchObject({ status: 'degraded' });
  const since = async () =>
    (
      await server.database.pool.query<{ at: Date }>(
        'SELECT problem_since AS at FROM workflow.trigger WHERE name = $1',
        ['lost'],
      )
    ).rows[0]?.at;
  const first = await since();
  await eventually(
    async () =>
      (
        await server.database.pool.query<{ n: number }>(
          `SELECT count(*)::int AS n FROM workflow.agenda_jobs WHERE name = 'poll' AND last_run_at > $1::timestamptz + interval '1 second'`,
          [first],
        )
      ).rows[0]?.n,
    (n) => n === 1,
  );
  expect(await since()).toEqual(first); // recorded once, however often it polls
  await server.rest('POST', '/api/v1/metadata/schemas', {
    body: { name: 'Nowhere', version: '1', fields: [] },
  });
  expect(await eventually(status, (one) => one.status === 'polling')).not.toHaveProperty('problem');
  await eventually(
    async () =>
      (await server.rest('GET', '/api/v1/gateway/health')).body.components.workflow.detail as
        string | undefined,
    (one) => one !== 'triggers_degraded',
  );

  // failed deliveries
  const body = '{"n":1}';
  const {
    body: { run_id: id },
  } = await server.rest('POST', '/api/v1/workflow/hooks/lab', {
    key: null,
    body,
    headers: { 'x-signature': `sha256=${createHmac('sha256', 'hush').update(body).digest('hex')}` },
  });
  expect(await settledRun(server, id)).toMatchObject({ status: 'failed' });
  const failed = async (key?: string) =>
    (await server.rest('GET', '/api/v1/workflow/deliveries', key === undefined ? {} : { key })).body
      .deliveries as { delivery_id: string; run: { run_id: string } }[];
  const [dead, ...others] = await failed();
  expect([dead?.run.run_id, others]).toEqual([id, []]);
  expect(await failed(await server.newKey({ role: 'analyst' }))).toEqual([]);
  expect(
    (
      await server.rest('GET', '/api/v1/workflow/deliveries?trigger=hook', {
        key: await server.newKey({ role: 'analyst' }),
      })
    ).status,
  ).toBe(403);
  expect((await server.rest('GET', '/api/v1/workflow/deliveries?trigger=none')).status).toBe(404);
  await writeFile(path.join(dir, 'later.jsonl'), '{"id":"s9"}\n');
  const again = await server.rest('POST', `/api/v1/workflow/deliveries/${dead?.delivery_id}/redeliver`);
  expect(await settledRun(server, again.body.run_id)).toMatchObject({ status: 'success' });
  expect(await failed()).toEqual([]);
  expect(await allRuns(server, 'hook')).toHaveLength(2);
}, 60_000);
