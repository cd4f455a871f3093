// Claims queued productions and works them, a few at a time, until the process stops.
import { mkdir } from 'node:fs/promises';
import type { Liveness } from '../../../platform/database/liveness.ts';
import { QueueWorker } from '../../../platform/lease-queue/queue-worker.ts';
import { ownerName } from '../productions/owner.ts';
import {
  type ClaimedProduction,
  claimProductions,
  giveBackProductions,
} from '../productions/production-queue.store.ts';
import { ProductionWorker, type ProductionWorkerDeps } from './production-worker.ts';
import { recoveryChores, type RecoveryDeps, removeUnusedDirectories } from './recovery.ts';

export interface ProductionEngineOptions
  extends Omit<ProductionWorkerDeps, 'owner' | 'outOfLine' | 'leaseMs'>, Omit<RecoveryDeps, 'owner'> {
  readonly executor: ProductionWorkerDeps['executor'] & RecoveryDeps['executor'];
  /** That productions are claimed is what has to go on. */
  readonly watch?: Liveness['watch'] | undefined;
  /** Maximum concurrent productions. */
  readonly concurrent: number;
  /** How long a production is kept without its worker's renewal before another begins it again; 30 s. */
  readonly leaseMs?: number;
  /** How often the queue is polled without a notification; 2 s. */
  readonly sweepMs?: number;
}

export interface ProductionEngine {
  /**
   * Claims no more productions and stops those in progress: another process, or this one after a restart,
   * begins them again.
   */
  close(): Promise<void>;
}

/** Starts working the queue. Removes directories that a killed process has left. */
export async function startProductionEngine(options: ProductionEngineOptions): Promise<ProductionEngine> {
  const { db, notifier, watch, log, concurrent, leaseMs = 30_000, sweepMs = 2000 } = options;
  const owner = await ownerName();
  const worker: ProductionWorker = new ProductionWorker({
    ...options,
    owner,
    leaseMs,
    outOfLine: (id, work) => queue.outOfLine(id, work),
  });
  const queue = new QueueWorker<ClaimedProduction>({
    noun: 'productions',
    watch,
    log,
    concurrent,
    sweepMs,
    // a workflow runs for minutes or hours: few would finish in time, and the attempt is not counted
    graceMs: 0,
    onQueued: (wake) => notifier.follow(null, wake),
    claim: (most) => claimProductions(db, owner, leaseMs, most),
    giveBackUnknown: (worked) => giveBackProductions(db, owner, worked),
    work: (production, stop) => worker.work(production, stop),
    chores: recoveryChores({ ...options, owner }),
  });
  await mkdir(options.workDirectory, { recursive: true, mode: 0o700 });
  await removeUnusedDirectories(options);
  await queue.start();
  return queue;
}
