// Recovers what lost workers leave behind: productions, directories, and remote runs.
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
  /** This worker's name in its leases. */
  readonly owner: string;
  readonly executor: Pick<Executor, 'abandon' | 'clear'>;
  readonly workDirectory: ExecutorDeps['workDirectory'];
  readonly log: Logger;
}

/** Maximum attempts, so that a workflow that crashes its machine is not begun for ever. */
const MAX_ATTEMPTS = 3;
/** Maximum remote runs that are ended concurrently. */
const MAX_LEFT_RUNS = 10;

const INTERRUPTED = {
  code: 'interrupted',
  message: `its worker was lost ${MAX_ATTEMPTS} times`,
  details: {},
};

/** Removes the directories of productions that are not in progress, which a killed process leaves behind. */
export async function removeUnusedDirectories({
  db,
  executor,
  workDirectory,
}: Pick<RecoveryDeps, 'db' | 'executor' | 'workDirectory'>): Promise<void> {
  // listed before querying the database, so that productions begun meanwhile are not included
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
  // Ends the leases of workers that were killed on this machine at once, because callers wait for
  // productions. Runs do not need this: nobody waits for them, and they wait for their next attempt anyway.
  await endLeasesOfDead(db, owner, isDead);
  const recovered = await transact((tx) => recoverAbandoned(tx, MAX_ATTEMPTS, INTERRUPTED));
  for (const { id, status } of recovered)
    log.warn({ productionId: id, status }, 'the worker of a production was lost');
  if (recovered.length > 0) await removeUnusedDirectories(deps);
}

/** Ends remote runs of productions that were cancelled while no worker had them. */
async function endLeftRuns({ db, executor }: RecoveryDeps): Promise<void> {
  for (const { id, run } of await listLeftRuns(db, MAX_LEFT_RUNS)) {
    if (!(await executor.abandon(run))) return; // its service is away: later
    await forgetRunElsewhere(db, id);
  }
}

export const recoveryChores = (deps: RecoveryDeps): readonly Chore[] => [
  { run: () => recoverProductions(deps), fault: 'abandoned productions could not be searched for' },
  { run: () => endLeftRuns(deps), fault: 'runs of cancelled productions could not be ended' },
];
