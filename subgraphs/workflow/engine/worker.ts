// Works one run: performs it under its lease, and finishes it.
import { runSeconds } from '../metrics/run-metrics.ts';
import type { Logger } from 'pino';
import { Lease } from '../../../platform/lease-queue/lease.ts';
import { type Outcome, Tally } from '../actions/outcome.ts';
import type { ClaimedRun, Counts } from '../run-records/run-queue.store.ts';
import type { RunFinisher } from './finish-run.ts';
import { perform, type PerformDeps } from './perform.ts';

export interface WorkDeps extends PerformDeps {
  readonly finisher: Pick<RunFinisher, 'finish'>;
  readonly log: Logger;
  readonly leaseMs: number;
  /** @returns false if the run is lost or cancelled */
  renew(run: ClaimedRun, counts: Counts): Promise<boolean>;
}

/** How often counts are stored for those who follow a run. */
const PROGRESS_MS = 1000;

/** Never rejects for the run's result. @param stop aborted when the process stops */
export async function work(run: ClaimedRun, stop: AbortSignal, deps: WorkDeps): Promise<void> {
  const log = deps.log.child({ runId: run.id });
  const tally = new Tally();
  const timed = runSeconds.startTimer();
  const lease = new Lease({
    leaseMs: deps.leaseMs,
    progressMs: PROGRESS_MS,
    // most runs wait for a source or for metadata most of the time: unchanged counts are not written
    progress: () => tally.fetched + tally.created + tally.updated + tally.skipped + tally.failed,
    renew: () => deps.renew(run, tally.counts()),
    log,
  });
  try {
    const { entityType, ...result } = await outcomeOf(run, tally, stop, lease.lost, deps);
    await lease.finish(() => deps.finisher.finish(run, result, entityType), stop);
  } catch (err) {
    if (lease.lost.aborted) log.warn('the run was cancelled, or its lease was lost: work on it has stopped');
    else
      log.error({ err }, 'the result of the run could not be stored: the run fails when its lease expires');
  } finally {
    timed();
    lease.release();
  }
}

async function outcomeOf(
  run: ClaimedRun,
  tally: Tally,
  stop: AbortSignal,
  lost: AbortSignal,
  deps: WorkDeps,
): Promise<Outcome> {
  try {
    return await perform(run, tally, AbortSignal.any([stop, lost]), deps);
  } catch (err) {
    lost.throwIfAborted();
    if (!stop.aborted) deps.log.error({ err, runId: run.id }, 'unexpected error in a run');
    tally.failRest();
    tally.note(
      stop.aborted
        ? { type: 'Stopped', message: 'the server was stopped' }
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
