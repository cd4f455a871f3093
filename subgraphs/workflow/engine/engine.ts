// Claims queued runs and works them, a few at a time, until the process stops.
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { ConfiguredAdapter } from '../adapters/open-adapter.ts';
import type { ExecuteAs } from '../deps.ts';
import {
  type ClaimedRun,
  claimRuns,
  giveBackRuns,
  insertRunEntities,
  lastCompleteStart,
  QUEUE_CHANNEL,
  renewRun,
} from '../run-records/run-queue.store.ts';
import { appendToLog } from '../run-records/run-logs.store.ts';
import type { Listener } from '../../../platform/database/listener.ts';
import type { Liveness } from '../../../platform/database/liveness.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { JsonLimits } from '../../../platform/json-shape.ts';
import { type Chore, QueueWorker } from '../../../platform/lease-queue/queue-worker.ts';
import type { ConfiguredTrigger } from '../trigger-model/trigger-definition.ts';
import { hideEngine, showEngine } from './engines.store.ts';
import { RunFinisher } from './finish-run.ts';
import { work, type WorkDeps } from './worker.ts';

export interface EngineOptions {
  readonly pool: Pool;
  readonly listen: Listener['listen'];
  /** That runs are queued and claimed is what has to go on. */
  readonly watch?: Liveness['watch'];
  readonly executeAs: ExecuteAs;
  readonly triggers: readonly ConfiguredTrigger[];
  readonly adapters: readonly ConfiguredAdapter[];
  /**
   * Hash of this configuration: only its runs are claimed, and those of configurations that no process has.
   * Absent: any.
   */
  readonly configuration?: string;
  /** Of JSON that adapters read; the defaults if absent. */
  readonly jsonLimits?: JsonLimits;
  readonly log: Logger;
  /** How long a sample of a resolve waits for the artifact component; 60 s. */
  readonly artifactTimeoutMs?: number;
  /** How long a run without its worker's heartbeat is kept before it counts as lost; 30 s. */
  readonly leaseMs?: number;
  /** How often the queue is polled without a notification; 2 s. */
  readonly sweepMs?: number;
  /** How long runs may continue when the process stops; 5 s. */
  readonly graceMs?: number;
}

/**
 * Maximum concurrent runs of one process, because each holds a batch of records in memory. One more is for a
 * trigger of which none is worked here.
 */
const CONCURRENT = 4;
/** How often a process registers itself, in milliseconds: several times before it counts as gone. */
const SHOW_MS = 5000;

export interface Engine {
  /** Claims no more runs, lets those in progress continue for a while, then stops them. */
  close(): Promise<void>;
}

/** The process's services for each run. */
function workDeps(options: EngineOptions, finisher: RunFinisher, leaseMs: number): WorkDeps {
  const { pool, log, artifactTimeoutMs = 60_000, executeAs, jsonLimits } = options;
  return {
    finisher,
    log,
    leaseMs,
    artifactTimeoutMs,
    executeAs,
    jsonLimits,
    adapters: new Map(options.adapters.map((adapter) => [adapter.name, adapter])),
    renew: (run, counts) => renewRun(pool, run, leaseMs, counts),
    logged: (run, lines) => appendToLog(pool, run, lines),
    lastCompleteStart: (trigger, adapter) => lastCompleteStart(pool, trigger, adapter),
    wrote: (runId, ids) => insertRunEntities(pool, runId, ids),
  };
}

/** Registers at intervals that this process takes runs of the configuration. */
function showing(pool: Pool, owner: string, configuration: string): Chore {
  let shownAt = performance.now();
  return {
    fault: 'this process could not be registered as a run worker',
    async run() {
      if (performance.now() - shownAt < SHOW_MS) return;
      await showEngine(pool, owner, configuration);
      shownAt = performance.now();
    },
  };
}

export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { pool, log, configuration = null, leaseMs = 30_000, sweepMs = 2000, graceMs = 5000 } = options;
  const owner = randomUUID();
  const claimant = { owner, configuration };
  const finisher = new RunFinisher({
    transact: (act) => inTransaction(pool, act),
    triggers: options.triggers,
    configuration,
    log,
  });
  const deps = workDeps(options, finisher, leaseMs);
  const worker = new QueueWorker<ClaimedRun>({
    noun: 'runs',
    watch: options.watch,
    log,
    concurrent: CONCURRENT,
    sweepMs,
    graceMs, // most runs finish in this time; a retry would send the same records again
    onQueued: (wake) => options.listen(QUEUE_CHANNEL, wake, wake),
    claim: (most) => claimRuns(pool, claimant, { most, leaseMs }),
    claimSpare: (working) =>
      claimRuns(pool, claimant, {
        most: 1,
        leaseMs,
        besides: working.map(({ triggerName }) => triggerName ?? ''),
      }),
    giveBackUnknown: (worked) => giveBackRuns(pool, owner, worked),
    work: (run, stop) => work(run, stop, deps),
    chores: [
      ...(configuration === null ? [] : [showing(pool, owner, configuration)]),
      { run: () => finisher.recoverAbandoned(), fault: 'abandoned runs could not be searched for' },
    ],
  });
  // before anything is queued under it
  if (configuration !== null) await showEngine(pool, owner, configuration);
  await worker.start();
  return {
    async close() {
      await worker.stopClaiming();
      await hideEngine(pool, owner).catch((err: unknown) => {
        log.warn(
          { err },
          'this process could not be unregistered as a run worker: its registration will expire',
        );
      });
      await worker.close();
    },
  };
}
