// Works one run: performs it under its lease, and settles it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isStoreAway } from '../../../platform/store-away.ts';
import { type Outcome, Tally } from '../actions/outcome.ts';
import type { ClaimedRun, Counts } from '../runs/run-queue.store.ts';
import { perform, type PerformPorts } from './perform.ts';
import type { Settler } from './settle.ts';

export interface WorkPorts extends PerformPorts {
  readonly settler: Settler;
  readonly log: Logger;
  readonly leaseMs: number;
  /** False where the run is no longer ours. */
  keepLease(run: ClaimedRun, counts: Counts): Promise<boolean>;
}

/** Why work on a run stops before its end. */
class Lost extends Error {
  override name = 'Lost';
}

/** Never rejects for what becomes of the run. @param stop aborted when the process stops */
export async function work(run: ClaimedRun, stop: AbortSignal, ports: WorkPorts): Promise<void> {
  const tally = new Tally();
  const lost = new AbortController();
  const endBeat = heartbeat(run, tally, lost, ports);
  try {
    const { entityType, ...settlement } = await outcomeOf(run, tally, stop, lost.signal, ports);
    await patiently(
      () => ports.settler.settle(run, settlement, entityType),
      run,
      AbortSignal.any([stop, lost.signal]),
      ports.log,
    );
  } catch (err) {
    if (lost.signal.aborted)
      ports.log.warn(
        { runId: run.id },
        'the run was cancelled, or its lease was lost: work on it has stopped',
      );
    else
      ports.log.error(
        { err, runId: run.id },
        'the run could not be settled: it will fail when its lease ends',
      );
  } finally {
    endBeat();
  }
}

/** How long to wait for a store that is away before it is asked again, in milliseconds. */
const AWAY_MS = 500;

/** Settles again for as long as the run is ours: what was settled, unheard, is not settled twice, by its fence. */
async function patiently(
  settle: () => Promise<void>,
  run: ClaimedRun,
  signal: AbortSignal,
  log: Logger,
): Promise<void> {
  for (;;) {
    try {
      return await settle();
    } catch (err) {
      if (!isStoreAway(err) || signal.aborted) throw err;
      log.warn({ err, runId: run.id }, 'the store is away: a run is settled when it is back');
      await sleep(AWAY_MS, undefined, { signal });
    }
  }
}

async function outcomeOf(
  run: ClaimedRun,
  tally: Tally,
  stop: AbortSignal,
  lost: AbortSignal,
  ports: WorkPorts,
): Promise<Outcome> {
  try {
    return await perform(run, tally, AbortSignal.any([stop, lost]), ports);
  } catch (err) {
    lost.throwIfAborted();
    if (!stop.aborted) ports.log.error({ err, runId: run.id }, 'unexpected error in a run');
    tally.failRest();
    tally.note(
      stop.aborted
        ? { type: 'Stopped', message: 'the platform was stopped' }
        : { type: 'InternalError', message: 'internal error' },
    );
    return {
      status: 'failed',
      entityType: null,
      counts: tally.counts(),
      errors: tally.errors,
      unresolved: [],
      interrupted: stop.aborted,
    };
  }
}

/** Counts that have changed are put down this often, in milliseconds: that is what those who follow the run see. */
const PROGRESS_MS = 1000;

/** Renews the lease three times in its duration, and with every progress. Where that has not worked for as long as it lasts, the run is no longer ours. */
function heartbeat(run: ClaimedRun, tally: Tally, lost: AbortController, ports: WorkPorts): () => void {
  let keptAt = performance.now();
  let told = 0;
  const beat = async (): Promise<void> => {
    const askedAt = performance.now();
    const done = tally.fetched + tally.created + tally.updated + tally.skipped + tally.failed;
    if (done === told && askedAt - keptAt < ports.leaseMs / 3) return;
    told = done;
    try {
      if (await ports.keepLease(run, tally.counts())) keptAt = askedAt;
      else lost.abort(new Lost('the run is no longer ours'));
    } catch (err) {
      ports.log.warn({ err, runId: run.id }, 'the lease of a run could not be renewed');
      if (performance.now() - keptAt > ports.leaseMs) lost.abort(new Lost('the lease has ended'));
    }
  };
  const timer = setInterval(() => void beat(), Math.min(PROGRESS_MS, ports.leaseMs / 6));
  return () => {
    clearInterval(timer);
  };
}
