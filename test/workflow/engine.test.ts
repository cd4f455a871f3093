// Runs with several workers: each is worked once, and one whose worker has died fails
// (docs/reference/workflow.md#leases, docs/reference/workflow.md#retries).
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startEngine } from '../../subgraphs/workflow/engine/engine.ts';
import { runOf } from '../../subgraphs/workflow/run-records/new-run.ts';
import { claimRuns, insertRun } from '../../subgraphs/workflow/run-records/run-queue.store.ts';
import type { Pool } from 'pg';
import { eventually } from './workflow-server.ts';
import { PULL, AFTER, adapterOf, log, bench, accepts, file } from './engine-testkit.ts';

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
      ...runOf({ ...PULL, name: 'other' }, { cause: {}, causedBy: 'tick:none' }),
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
