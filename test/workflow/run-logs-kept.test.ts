// docs/reference/workflow.md#run-logs: logs of runs that are tried again, lost or cancelled, by several at once.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { RunCommands } from '../../subgraphs/workflow/run-records/run-commands.service.ts';
import { lineOf, RunLog } from '../../subgraphs/workflow/run-records/run-log.ts';
import { appendToLog, listLogs } from '../../subgraphs/workflow/run-records/run-logs.store.ts';
import { runOf } from '../../subgraphs/workflow/run-records/new-run.ts';
import { claimRuns, insertRun } from '../../subgraphs/workflow/run-records/run-queue.store.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { bench, PULL } from './engine-testkit.ts';
import { folder } from './retries-testkit.ts';
import { eventually } from './workflow-server.ts';

type Bench = Awaited<ReturnType<typeof bench>>;
const source = async (text: string): Promise<string> => {
  const file = path.join(await folder(), 'a.jsonl');
  await writeFile(file, text);
  return file;
};
const never = () => new Promise<never>(() => undefined);
const logOf = ({ database: { pool } }: Bench, id: string) =>
  listLogs(pool, [id], { after: 0, limit: 1000, asOf: null });
const texts = async (it: Bench, id: string): Promise<string[]> =>
  (await logOf(it, id)).map(
    ({ attempt, level, message }) => `${attempt} ${level} ${message.replaceAll(/\d+\.\d\d s/g, '… s')}`,
  );
const claim = async ({ database: { pool } }: Bench, leaseMs = 60_000) => {
  const [run] = await claimRuns(pool, { owner: 'w', configuration: null }, { most: 1, leaseMs });
  if (!run) throw new Error('no run is queued');
  return run;
};

test('a run that is tried again goes on with its log', async () => {
  const gone = path.join(await folder(), 'none.jsonl');
  const again = { ...PULL, retry: { attempts: 2, backoff: 0, on: 'failed' as const } };
  await using it = await bench(never, gone, { triggers: [again] });
  const engine = await it.engine();
  try {
    const run = runOf(again, { cause: {}, causedBy: 'tick:none' });
    await insertRun(it.database.pool, run);
    await eventually(it.runs, ([one]) => one?.status === 'failed');
    const error = expect.stringMatching(/error AdapterFetchError: the source could not be read: ENOENT/);
    expect(await texts(it, run.id)).toEqual([
      '1 info attempt 1 begins',
      '1 info the adapter a (jsonl) is read into Sample: all records',
      error,
      '1 error attempt 1 ends after … s as failed: 0 read, 0 created, 0 changed, 0 unchanged, 0 failed',
      '1 warn attempt 2 of at most 2 begins in 0 s or later',
      '2 info attempt 2 begins',
      '2 info the adapter a (jsonl) is read into Sample: all records',
      error,
      '2 error attempt 2 ends after … s as failed: 0 read, 0 created, 0 changed, 0 unchanged, 0 failed',
    ]);
    const lines = await logOf(it, run.id);
    expect(lines.map(({ number }) => number)).toEqual(lines.map((_, i) => i + 1));
  } finally {
    await engine.close();
  }
});

test('whoever recovers a run that was lost notes it after what its worker has stored', async () => {
  await using it = await bench(never, await source('{"id":"s1"}\n'));
  await it.queue(1);
  const run = await claim(it, 1);
  await appendToLog(it.database.pool, run, [lineOf('info', 'attempt 1 begins')]);
  const engine = await it.engine();
  try {
    await eventually(it.runs, ([one]) => one?.status === 'failed');
    expect(await texts(it, run.id)).toEqual([
      '1 info attempt 1 begins',
      '1 error the process that executed the run has ended or lost its connection',
    ]);
  } finally {
    await engine.close();
  }
});

test('lines that are stored twice are there once, and a worker that has lost its run adds none', async () => {
  await using it = await bench(never, '/none');
  const { pool } = it.database;
  await it.queue(1);
  const run = await claim(it);
  const log = new RunLog(run.logged);
  log.note('info', 'one');
  log.note('info', 'two');
  const lines = log.take();
  await Promise.all([appendToLog(pool, run, lines), appendToLog(pool, run, lines)]);
  log.note('info', 'three');
  await appendToLog(pool, run, [...lines, ...log.take()]);
  await appendToLog(pool, { ...run, fence: '0' }, [lineOf('info', 'late')]);
  expect(await texts(it, run.id)).toEqual(['1 info one', '1 info two', '1 info three']);
});

test('of a run that is cancelled while it is worked, the log ends with that, whenever it was', async () => {
  await using it = await bench(never, '/none');
  const { pool } = it.database;
  const caller = { actor: 'user:ada', roles: ['admin' as const], projects: '*' as const, requestId: 'r' };
  const commands = new RunCommands(
    {
      db: pool,
      transact: (work) => inTransaction(pool, work),
      triggers: [],
      adapters: new Set(),
      configuration: null,
    },
    caller,
  );
  for (let round = 0; round < 40; round++) {
    await it.queue(1);
    const run = await claim(it);
    const log = new RunLog(run.logged);
    const worker = async (): Promise<void> => {
      for (let i = 0; i < 6; i++) {
        log.note('info', `line ${i}`);
        await appendToLog(pool, run, log.take());
      }
    };
    await Promise.all([worker(), commands.cancel(run.id)]);
    const lines = await logOf(it, run.id);
    expect(lines.map(({ number }) => number)).toEqual(lines.map((_, i) => i + 1));
    expect(lines.at(-1)?.message).toBe('cancelled by user:ada');
  }
});
