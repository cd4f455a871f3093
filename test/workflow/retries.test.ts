// Interrupted runs are retried, failed deliveries can be listed and redelivered, missed ticks are caught up
// with as configured, and a poll that cannot work reports it.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { adapter } from '../../platform/config/adapter-definition.ts';
import { trigger } from '../../platform/config/trigger-definition.ts';
import { type EngineOptions, startEngine } from '../../subgraphs/workflow/engine/engine.ts';
import type { Execute } from '../../subgraphs/workflow/deps.ts';
import { runOf } from '../../subgraphs/workflow/run-records/new-run.ts';
import {
  claimRuns,
  insertRun,
  lastCompleteStart,
} from '../../subgraphs/workflow/run-records/run-queue.store.ts';
import { freshDatabase } from '../testkit/database.ts';
import { eventually } from './workflow-server.ts';
import { scope, log, ingest, folder } from './retries-testkit.ts';

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
    queue: () => insertRun(database.pool, runOf(one, { cause: {}, causedBy: 'tick:none' })),
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
