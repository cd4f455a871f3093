// Takes care of what lost workers leave behind: their productions, directories, and runs at services elsewhere.
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Chore } from '../../../platform/lease-queue/queue-worker.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { EnqueueDeps } from '../productions/enqueue.ts';
import { isDead } from '../productions/owner.ts';
import { endLeasesOfDead, listRunning, recoverAbandoned } from '../productions/production-queue.store.ts';
import { forgetRunElsewhere, listLeftRuns } from '../productions/runs-elsewhere.store.ts';
import type { Executor, ExecutorDeps } from './executor.ts';

export interface RecoveryDeps extends EnqueueDeps {
  readonly db: Queryable;
  /** Of this worker, in its leases. */
  readonly owner: string;
  readonly executor: Pick<Executor, 'abandon' | 'clear'>;
  readonly workDirectory: ExecutorDeps['workDirectory'];
  readonly log: Logger;
}

/** A workflow that brings its machine down is not begun for ever. */
const MAX_ATTEMPTS = 3;
/** Runs elsewhere that are ended at a time. */
const MAX_LEFT_RUNS = 10;

const INTERRUPTED = {
  code: 'interrupted',
  message: `its worker was lost ${MAX_ATTEMPTS} times while it was made`,
  details: {},
};

/** Removes the directories of what is not worked on any more: a killed process leaves its own behind. */
export async function removeUnusedDirectories({
  db,
  executor,
  workDirectory,
}: Pick<RecoveryDeps, 'db' | 'executor' | 'workDirectory'>): Promise<void> {
  // listed before the database is asked: what is begun meanwhile is not among them
  const names = await readdir(workDirectory);
  const inUse = new Set((await listRunning(db)).map(({ id, fence }) => `${id}.${fence}`));
  for (const name of names) {
    if (inUse.has(name)) continue;
    await executor.clear(path.join(workDirectory, name));
    await rm(path.join(workDirectory, name), { recursive: true, force: true });
  }
}

async function recoverProductions(deps: RecoveryDeps): Promise<void> {
  const { db, transact, log, owner } = deps;
  // Nobody waits for the lease of a worker that was killed on this machine: requests wait for productions. Runs
  // do without: nobody waits for them, and they wait for their next attempt anyway.
  await endLeasesOfDead(db, owner, isDead);
  const recovered = await transact((tx) => recoverAbandoned(tx, MAX_ATTEMPTS, INTERRUPTED));
  for (const { id, status } of recovered)
    log.warn({ productionId: id, status }, 'the worker of a production was lost');
  if (recovered.length > 0) await removeUnusedDirectories(deps);
}

/** Ends runs elsewhere of productions that were cancelled while nobody worked on them. */
async function endLeftRuns({ db, executor }: RecoveryDeps): Promise<void> {
  for (const { id, run } of await listLeftRuns(db, MAX_LEFT_RUNS)) {
    await executor.abandon(run);
    await forgetRunElsewhere(db, id);
  }
}

export const recoveryChores = (deps: RecoveryDeps): readonly Chore[] => [
  { run: () => recoverProductions(deps), fault: 'abandoned productions could not be looked for' },
  { run: () => endLeftRuns(deps), fault: 'runs that nobody wants could not be ended' },
];
