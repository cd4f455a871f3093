// Ticks that were missed, and a poll whose type is not there.
import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { trigger } from '../../platform/config/trigger-definition.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { DatabaseClock } from '../../subgraphs/workflow/jobs/database-clock.ts';
import { tickJobs } from '../../subgraphs/workflow/schedules/tick-jobs.ts';
import { triggerDefinition } from '../../subgraphs/workflow/trigger-model/trigger-definition.ts';
import { rememberTriggers } from '../../subgraphs/workflow/triggers/triggers.store.ts';
import { freshDatabase } from '../testkit/database.ts';
import type { TestServer } from '../testkit/server.ts';
import { allRuns, eventually, settledRun, workflowServer } from './workflow-server.ts';
import { scope, log, ingest, folder } from './retries-testkit.ts';

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
});

/** A delivery whose adapter has no source yet is listed, for administrators, until it is repeated with success. */
async function assertFailedDeliveriesAreRepeated(server: TestServer, dir: string): Promise<void> {
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
}

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

  await assertFailedDeliveriesAreRepeated(server, dir);
});
