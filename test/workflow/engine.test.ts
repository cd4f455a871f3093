// Runs with several workers: each is worked once, and one whose worker has died fails
// (docs/reference/workflow.md#leases, docs/reference/workflow.md#retries).
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DomainError } from '../../platform/errors.ts';
import { trigger } from '../../platform/config/trigger-definition.ts';
import { startEngine, type EngineOptions } from '../../subgraphs/workflow/engine/engine.ts';
import type { Execute } from '../../subgraphs/workflow/deps.ts';
import { runOf } from '../../subgraphs/workflow/run-records/new-run.ts';
import { claimRuns, insertRun } from '../../subgraphs/workflow/run-records/run-queue.store.ts';
import { adapter } from '../../platform/config/adapter-definition.ts';
import { freshDatabase } from '../testkit/database.ts';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { eventually } from './workflow-server.ts';

const scope = { env: {}, directory: '/' };
const PULL = trigger(scope).parse({
  name: 'pull',
  type: 'manual',
  retry: { attempts: 1 },
  action: { type: 'ingest', adapter: 'a' },
  on_success: 'done',
  on_failure: { emit: 'broke' },
});
const AFTER = trigger(scope).parse({
  name: 'after',
  type: 'internal_event',
  event: 'broke',
  action: { type: 'ingest', adapter: 'none' },
});
const adapterOf = (source: string) =>
  adapter(scope).parse({ name: 'a', type: 'jsonl', entity_type: 'Sample', source, map: { id: 'row.id' } });
const log = pino({ level: 'silent' });

async function bench(execute: Execute, file: string, more: Partial<EngineOptions> = {}) {
  const database = await freshDatabase({ poolSize: 20 });
  const engine = () =>
    startEngine({
      pool: database.pool,
      listen: database.listen,
      executeAs: () => execute,
      triggers: [PULL, AFTER],
      adapters: [adapterOf(file)],
      log,
      sweepMs: 100,
      ...more,
    });
  return {
    database,
    engine,
    queue: (n: number) =>
      Promise.all(Array.from({ length: n }, () => insertRun(database.pool, runOf(PULL, { cause: {} })))),
    runs: async () =>
      (
        await database.pool.query<{
          id: string;
          name: string;
          status: string;
          errors: { type: string }[];
          cause: Record<string, unknown>;
          records_fetched: number;
          records_failed: number;
        }>(
          'SELECT id, trigger_name AS name, status, errors, cause, records_fetched, records_failed FROM workflow.run ORDER BY queued_at',
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
const file = async (lines: number): Promise<{ path: string; [Symbol.asyncDispose](): Promise<void> }> => {
  const { mkdtemp, rm, writeFile } = await import('node:fs/promises');
  const dir = await mkdtemp('/tmp/cairn-engine-');
  await writeFile(`${dir}/a.jsonl`, Array.from({ length: lines }, (_, i) => `{"id":"s${i}"}\n`).join(''));
  return { path: `${dir}/a.jsonl`, [Symbol.asyncDispose]: () => rm(dir, { recursive: true }) };
};

test('three workers over one queue: every run is claimed once', async () => {
  await using lines = await file(1);
  let calls = 0;
  await using it = await bench(async (...sent) => {
    calls++;
    return accepts(...sent);
  }, lines.path);
  const engines = await Promise.all([it.engine(), it.engine(), it.engine()]);
  await it.queue(60);
  const runs = await eventually(it.runs, (all) => all.every((run) => run.status === 'success'));
  expect(runs).toHaveLength(60);
  expect(calls).toBe(60);
  await Promise.all(engines.map((engine) => engine.close()));
});

test('at most four runs of a trigger in one process at a time', async () => {
  await using lines = await file(1);
  let now = 0,
    most = 0;
  let all = (): void => undefined;
  const four = new Promise<void>((resolve) => {
    all = resolve;
  });
  await using it = await bench(async (...sent) => {
    most = Math.max(most, ++now);
    if (now === 4) all();
    await four;
    await sleep(20);
    now--;
    return accepts(...sent);
  }, lines.path);
  await it.queue(20);
  const engine = await it.engine();
  await eventually(it.runs, (all) => all.every((run) => run.status === 'success'));
  expect(most).toBe(4);
  await engine.close();
});

test('a trigger does not wait for the long line of another', async () => {
  await using lines = await file(1);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const began: string[] = [];
  await using it = await bench(async (document, variables, signal) => {
    const { run_id: id } = JSON.parse(String(variables['context'])) as { run_id: string };
    began.push(id);
    if (!id.startsWith('quick')) await held;
    return accepts(document, variables, signal);
  }, lines.path);
  await it.queue(7);
  for (const i of [1, 2])
    await insertRun(it.database.pool, {
      ...runOf({ ...PULL, name: 'other' }, { cause: {} }),
      id: `quick${i}`,
    });
  const engine = await it.engine();
  await eventually(it.runs, (all) => all.filter((run) => run.status === 'success').length === 2);
  expect(began.filter((id) => id.startsWith('quick')).sort()).toEqual(['quick1', 'quick2']);
  expect(began).toHaveLength(6);
  release();
  await eventually(it.runs, (all) => all.every((run) => run.status === 'success'));
  await engine.close();
});

test('a run whose worker has died fails, once, with its event; a living worker keeps its own', async () => {
  await using lines = await file(1);
  await using it = await bench(
    async (...sent) => {
      await sleep(4000);
      return accepts(...sent);
    },
    lines.path,
    { leaseMs: 3000 },
  );
  await it.queue(1);
  await claimRuns(
    it.database.pool,
    { owner: 'a worker that dies', configuration: null },
    { most: 1, leaseMs: 300 },
  );
  await it.queue(1);
  const engines = await Promise.all([it.engine(), it.engine()]);
  const runs = await eventually(
    it.runs,
    (all) => all.length === 3 && all.every((run) => !['queued', 'running'].includes(run.status)),
  );
  expect(runs.map((run) => [run.name, run.status, run.errors[0]?.type])).toEqual([
    ['pull', 'failed', 'WorkerLost'],
    ['pull', 'success', undefined],
    ['after', 'failed', 'AdapterFetchError'],
  ]);
  expect(runs[2]?.cause).toEqual({ event: 'broke', run_id: runs[0]?.id });
  await Promise.all(engines.map((engine) => engine.close()));
});

/**
 * The pool, except that once, after a connection has executed `first` and then `then`, the answer is lost.
 */
function losing(pool: Pool, first: RegExp, then: RegExp): { pool: Pool; lost: () => boolean } {
  let lost = false;
  const asking = <T extends Pick<Pool, 'query'>>(asked: T): T => {
    let ready = false;
    const query = async (text: string, values?: unknown[]): Promise<unknown> => {
      const answer = await asked.query(text, values);
      ready ||= first.test(text);
      if (lost || !ready || !then.test(text)) return answer;
      lost = true;
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    };
    // as a prototype, so that everything else is unchanged
    return Object.assign(Object.create(asked) as T, { query });
  };
  const connect = async () => {
    const client = await pool.connect();
    return Object.assign(asking(client), {
      release: (broken?: Error) => {
        client.release(broken);
      },
    });
  };
  return { pool: Object.assign(asking(pool), { connect }), lost: () => lost };
}

test('a claim whose answer was lost is taken again by the same worker: the run is not left to its lease', async () => {
  await using lines = await file(1);
  await using it = await bench(accepts, lines.path);
  const away = losing(it.database.pool, /SET status = 'running'/, /SET status = 'running'/);
  await it.queue(1);
  const engine = await startEngine({
    pool: away.pool,
    listen: it.database.listen,
    executeAs: () => accepts,
    triggers: [PULL],
    adapters: [adapterOf(lines.path)],
    log,
    sweepMs: 100,
  });
  // its lease would have taken half a minute to expire, and the run would have failed
  await eventually(it.runs, (all) => all[0]?.status === 'success');
  expect(away.lost()).toBe(true);
  await engine.close();
});

test('a run whose settlement was not acknowledged is settled once, when the store is back', async () => {
  for (const then of [/COMMIT/, /UPDATE workflow.run r SET status = \$3/]) {
    // after the transaction has ended, and during it
    await using it = await bench(accepts, '/nowhere.jsonl');
    const away = losing(it.database.pool, /UPDATE workflow.run r SET status = \$3/, then);
    await it.queue(1);
    const engine = await startEngine({
      pool: away.pool,
      listen: it.database.listen,
      executeAs: () => accepts,
      triggers: [PULL, AFTER],
      adapters: [adapterOf('/nowhere.jsonl')],
      log,
      sweepMs: 100,
    });
    const runs = await eventually(
      it.runs,
      (all) => all.length >= 2 && all.every((run) => !['queued', 'running'].includes(run.status)),
    );
    expect(runs.map((run) => [run.name, run.status, run.errors.map((error) => error.type)])).toEqual([
      ['pull', 'failed', ['AdapterFetchError']],
      ['after', 'failed', ['AdapterFetchError']],
    ]);
    expect(away.lost()).toBe(true);
    await engine.close();
  }
});

test('metadata that cannot be reached fails the run; what was under way counts as failed', async () => {
  await using lines = await file(700);
  let calls = 0;
  await using it = await bench(async (...sent) => {
    if (++calls > 1) throw new DomainError('component_unavailable', 'metadata is unavailable');
    return accepts(...sent);
  }, lines.path);
  const engine = await it.engine();
  await it.queue(1);
  const [run] = await eventually(it.runs, (all) => all[0]?.status === 'failed');
  expect(run).toMatchObject({
    records_fetched: 700,
    records_failed: 200,
    errors: [{ type: 'MetadataUnavailable' }],
  });
  await engine.close();
});

test('a record that makes its whole batch refused is found; the others are written', async () => {
  await using lines = await file(100);
  await using it = await bench(async (document, variables, signal) => {
    const sent = variables['entities'] as { data: { id: string } }[];
    if (sent.some(({ data }) => data.id === 's77'))
      throw new DomainError('invalid_request', 'cannot be stored');
    return accepts(document, variables, signal);
  }, lines.path);
  const engine = await it.engine();
  await it.queue(1);
  const [run] = await eventually(it.runs, (all) => all[0]?.status === 'partial_success');
  expect(run).toMatchObject({
    records_fetched: 100,
    records_failed: 1,
    errors: [{ type: 'IngestError', record: 78 }],
  });
  await engine.close();
});

test('when the process stops, a run that does not end fails; one that was only queued waits for the next process', async () => {
  await using lines = await file(1);
  const never: Execute = (_document, _variables, signal) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => {
        reject(new Error('gone'));
      });
    });
  await using it = await bench(never, lines.path, { graceMs: 200 });
  const engine = await it.engine();
  await it.queue(5);
  await eventually(it.runs, (all) => all.filter((run) => run.status === 'running').length === 4);
  await engine.close();
  const runs = await it.runs();
  expect(runs.filter((run) => run.status === 'failed' && run.errors[0]?.type === 'Stopped')).toHaveLength(4);
  expect(runs.filter((run) => run.name === 'pull' && run.status === 'queued')).toHaveLength(1);
});

test('a cancelled run stops: its worker lets go at the next heartbeat', async () => {
  await using lines = await file(1);
  let gone = false;
  const never: Execute = (_document, _variables, signal) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => {
        gone = true;
        reject(new Error('gone'));
      });
    });
  await using it = await bench(never, lines.path, { leaseMs: 300 });
  const engine = await it.engine();
  await it.queue(1);
  const [run] = await eventually(it.runs, (all) => all[0]?.status === 'running');
  const { cancelRun } = await import('../../subgraphs/workflow/run-records/run-queue.store.ts');
  expect(await cancelRun(it.database.pool, run?.id ?? '', { type: 'Cancelled', message: 'x' })).toBe(true);
  await eventually(
    async () => gone,
    (is) => is,
  );
  expect((await it.runs()).map(({ name, status, errors }) => [name, status, errors[0]?.type])).toEqual([
    ['pull', 'failed', 'Cancelled'],
  ]);
  await engine.close();
});
