// Takes queued runs as they come and works them, a few at a time, until the process stops.
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { ConfiguredAdapter } from '../adapters/open-adapter.ts';
import type { Execute } from '../ports.ts';
import { claimRuns, insertRunEntities, keepLease, lastCompleteStart, QUEUE_CHANNEL } from '../runs/run-queue.store.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { ConfiguredTrigger } from '../triggers/trigger-definition.ts';
import { Settler } from './settle.ts';
import { work, type WorkPorts } from './worker.ts';

export interface EngineOptions {
  readonly pool: Pool;
  readonly listen: (channel: string, onMessage: (payload: string) => void, onReconnect?: () => void) => Promise<() => Promise<void>>;
  readonly execute: Execute;
  readonly triggers: readonly ConfiguredTrigger[];
  readonly adapters: readonly ConfiguredAdapter[];
  readonly log: Logger;
  /** How long a sample of a resolve waits for the artifact component; 60 s. */
  readonly artifactTimeoutMs?: number;
  /** How long a run waits for its worker's heartbeat before it fails; 30 s. */
  readonly leaseMs?: number;
  /** How often the queue is looked at where no notification comes; 2 s. */
  readonly sweepMs?: number;
  /** How long runs may go on when the process stops; 5 s. */
  readonly graceMs?: number;
}

/** Runs of one process at a time: each holds a batch of records in memory. */
const AT_ONCE = 4;

export interface Engine {
  /** Takes no more runs, lets those under way end for a while, then stops them: they are `failed`. */
  close(): Promise<void>;
}

export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { pool, log, artifactTimeoutMs = 60_000, leaseMs = 30_000, sweepMs = 2000, graceMs = 5000 } = options;
  const owner = randomUUID();
  const stop = new AbortController();
  const settler = new Settler({ transact: (act) => inTransaction(pool, act), triggers: options.triggers, log });
  const ports: WorkPorts = {
    settler, log, leaseMs, artifactTimeoutMs, execute: options.execute, adapters: new Map(options.adapters.map((adapter) => [adapter.name, adapter])),
    keepLease: (run, counts) => keepLease(pool, run, leaseMs, counts),
    lastCompleteStart: (trigger) => lastCompleteStart(pool, trigger),
    wrote: (runId, ids) => insertRunEntities(pool, runId, ids),
  };

  const working = new Set<Promise<void>>();
  let closing = false;
  let claiming: Promise<void> | undefined;
  let wanted = false;

  const claim = async (): Promise<void> => {
    while (wanted && !closing && working.size < AT_ONCE) {
      wanted = false;
      const free = AT_ONCE - working.size;
      const runs = await claimRuns(pool, owner, free, leaseMs);
      for (const run of runs) {
        const task = work(run, stop.signal, ports).finally(() => { working.delete(task); wake(); });
        working.add(task);
      }
      if (runs.length === free) wanted = true;
    }
  };
  function wake(): void {
    wanted = true;
    if (closing || claiming) return;
    claiming = claim()
      .catch((err: unknown) => { log.warn({ err }, 'queued runs could not be claimed'); wanted = false; })
      .finally(() => { claiming = undefined; if (wanted && !closing && working.size < AT_ONCE) wake(); });
  }
  const sweep = (): void => {
    wake();
    settler.failAbandoned().catch((err: unknown) => { log.warn({ err }, 'abandoned runs could not be looked for'); });
  };

  const unlisten = await options.listen(QUEUE_CHANNEL, wake, wake);
  const timer = setInterval(sweep, sweepMs);
  sweep();

  return {
    async close() {
      closing = true;
      clearInterval(timer);
      await unlisten();
      await claiming;
      const late = setTimeout(() => { stop.abort(new Error('the platform was stopped')); }, graceMs);
      await Promise.all(working);
      clearTimeout(late);
    },
  };
}
