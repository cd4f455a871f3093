// Takes queued runs as they come and works them, a few at a time, until the process stops.
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { ConfiguredAdapter } from '../adapters/open-adapter.ts';
import type { ExecuteAs } from '../ports.ts';
import {
  type Claim,
  type ClaimedRun,
  claimRuns,
  giveBackRuns,
  insertRunEntities,
  keepLease,
  lastCompleteStart,
  QUEUE_CHANNEL,
} from '../runs/run-queue.store.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { ConfiguredTrigger } from '../triggers/trigger-definition.ts';
import { hideEngine, showEngine } from './engines.store.ts';
import { Settler } from './settle.ts';
import { work, type WorkPorts } from './worker.ts';

export interface EngineOptions {
  readonly pool: Pool;
  readonly listen: (
    channel: string,
    onMessage: (payload: string) => void,
    onReconnect?: () => void,
  ) => Promise<() => Promise<void>>;
  readonly executeAs: ExecuteAs;
  readonly triggers: readonly ConfiguredTrigger[];
  readonly adapters: readonly ConfiguredAdapter[];
  /** Tells this configuration from others: only its runs are taken, and those of configurations that nobody runs by. Absent: any. */
  readonly configuration?: string;
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
/** One more is for a trigger of which none is worked here, so that nobody waits for the long line of another. */
const WITH_SPARE = AT_ONCE + 1;
/** How often a process says that it is there, in milliseconds: several times before it counts as gone. */
const SHOW_MS = 5000;

export interface Engine {
  /** Takes no more runs, lets those under way end for a while, then stops them: they are `failed`. */
  close(): Promise<void>;
}

export async function startEngine(options: EngineOptions): Promise<Engine> {
  const {
    pool,
    log,
    configuration = null,
    artifactTimeoutMs = 60_000,
    leaseMs = 30_000,
    sweepMs = 2000,
    graceMs = 5000,
  } = options;
  const owner = randomUUID();
  const stop = new AbortController();
  const settler = new Settler({
    transact: (act) => inTransaction(pool, act),
    triggers: options.triggers,
    configuration,
    log,
  });
  const ports: WorkPorts = {
    settler,
    log,
    leaseMs,
    artifactTimeoutMs,
    executeAs: options.executeAs,
    adapters: new Map(options.adapters.map((adapter) => [adapter.name, adapter])),
    keepLease: (run, counts) => keepLease(pool, run, leaseMs, counts),
    lastCompleteStart: (trigger, adapter) => lastCompleteStart(pool, trigger, adapter),
    wrote: (runId, ids) => insertRunEntities(pool, runId, ids),
  };

  const working = new Map<string, { readonly trigger: string; readonly done: Promise<void> }>();
  let closing = false;
  let claiming: Promise<void> | undefined;
  let wanted = false;
  let spareWanted = false;
  /** A claim whose answer was lost may have taken runs that nobody works. */
  let unanswered = false;

  const take = async (what: Omit<Claim, 'leaseMs'>): Promise<readonly ClaimedRun[]> => {
    if (unanswered) await giveBackRuns(pool, owner, [...working.keys()]);
    unanswered = true;
    const runs = await claimRuns(pool, { owner, configuration }, { ...what, leaseMs });
    unanswered = false;
    for (const run of runs) {
      working.set(run.id, {
        trigger: run.triggerName ?? '',
        done: work(run, stop.signal, ports).finally(() => {
          working.delete(run.id);
          wake();
        }),
      });
    }
    return runs;
  };
  const claim = async (): Promise<void> => {
    while (wanted && !closing && working.size < AT_ONCE) {
      wanted = false;
      const free = AT_ONCE - working.size;
      if ((await take({ most: free })).length === free) wanted = true;
    }
    if (!spareWanted || closing || working.size < AT_ONCE || working.size >= WITH_SPARE) return;
    spareWanted = false;
    await take({ most: 1, besides: [...working.values()].map((one) => one.trigger) });
  };
  function wake(): void {
    wanted = true;
    if (closing || claiming) return;
    claiming = claim()
      .catch((err: unknown) => {
        log.warn({ err }, 'queued runs could not be claimed');
        wanted = false;
      })
      .finally(() => {
        claiming = undefined;
        if (wanted && !closing && working.size < AT_ONCE) wake();
      });
  }
  let shownAt = performance.now();
  const show = async (): Promise<void> => {
    if (configuration === null || performance.now() - shownAt < SHOW_MS) return;
    await showEngine(pool, owner, configuration);
    shownAt = performance.now();
  };
  const sweep = (): void => {
    spareWanted = true; // not with every run that ends: a long line is looked through for it
    wake();
    show().catch((err: unknown) => {
      log.warn({ err }, 'the store was not told that runs are taken here');
    });
    const claimed = claiming ?? Promise.resolve();
    claimed
      .then(() => settler.settleAbandoned())
      .catch((err: unknown) => {
        log.warn({ err }, 'abandoned runs could not be looked for');
      });
  };

  if (configuration !== null) await showEngine(pool, owner, configuration); // before anything is queued by it
  const unlisten = await options.listen(QUEUE_CHANNEL, wake, wake);
  const timer = setInterval(sweep, sweepMs);
  sweep();

  return {
    async close() {
      closing = true;
      clearInterval(timer);
      await unlisten();
      await claiming;
      await hideEngine(pool, owner).catch((err: unknown) => {
        log.warn({ err }, 'the store was not told that no more runs are taken here: it will notice');
      });
      const late = setTimeout(() => {
        stop.abort(new Error('the platform was stopped'));
      }, graceMs);
      await Promise.all([...working.values()].map((one) => one.done));
      clearTimeout(late);
    },
  };
}
