// Works one run: performs it under its lease, and finishes it.
import { runSeconds } from '../metrics/run-metrics.ts';
import type { Logger } from 'pino';
import { Lease } from '../../../platform/lease-queue/lease.ts';
import { type Outcome, Tally } from '../actions/outcome.ts';
import { durationText } from '../run-records/duration-text.ts';
import { type NewLine, RunLog } from '../run-records/run-log.ts';
import type { ClaimedRun, Counts } from '../run-records/run-queue.store.ts';
import type { RunFinisher } from './finish-run.ts';
import { perform, type PerformDeps } from './perform.ts';

export interface WorkDeps extends PerformDeps {
  readonly finisher: Pick<RunFinisher, 'finish'>;
  readonly log: Logger;
  readonly leaseMs: number;
  /** @returns false if the run is lost or cancelled */
  renew(run: ClaimedRun, counts: Counts): Promise<boolean>;
  /** Stores lines of the log of a run, as long as it is held. */
  logged(run: ClaimedRun, lines: readonly NewLine[]): Promise<void>;
}

/** How often counts are stored for those who follow a run. */
const PROGRESS_MS = 1000;

/** Never rejects for the run's result. @param stop aborted when the process stops */
export async function work(run: ClaimedRun, stop: AbortSignal, deps: WorkDeps): Promise<void> {
  const log = deps.log.child({ runId: run.id });
  const runLog = new RunLog(run.logged);
  const tally = new Tally(runLog);
  const began = performance.now();
  runLog.noteAlways('info', `attempt ${run.attempt} begins`);
  const written = writing(run, runLog, deps, log);
  const timed = runSeconds.startTimer();
  const lease = new Lease({
    leaseMs: deps.leaseMs,
    progressMs: PROGRESS_MS,
    // most runs wait for a source or for metadata most of the time: unchanged counts are not written
    progress: () =>
      tally.fetched + tally.created + tally.updated + tally.skipped + tally.failed + runLog.count,
    renew: async () => {
      const isHeld = await deps.renew(run, tally.counts());
      if (isHeld) await written.write();
      return isHeld;
    },
    log,
  });
  try {
    const { entityType, ...result } = await outcomeOf(run, tally, stop, lease.lost, deps);
    runLog.noteAlways(
      result.status === 'failed' ? 'error' : 'info',
      `attempt ${run.attempt} ends after ${durationText(began)} as ${result.status}: ${countsText(tally)}`,
    );
    await written.settled(); // what is left is stored with the end
    const rest = runLog.take();
    await lease.finish(() => deps.finisher.finish(run, result, entityType, rest), stop);
  } catch (err) {
    if (lease.lost.aborted) log.warn('the run was cancelled, or its lease was lost: work on it has stopped');
    else
      log.error({ err }, 'the result of the run could not be stored: the run fails when its lease expires');
  } finally {
    timed();
    lease.release();
  }
}

const countsText = ({ fetched, created, updated, skipped, failed }: Tally): string =>
  `${fetched} read, ${created} created, ${updated} changed, ${skipped} unchanged, ${failed} failed`;

interface Writing {
  write(): Promise<void>;
  /** Resolves when no write is under way. */
  settled(): Promise<void>;
}

/** Stores what there is of the log: one call after the other, and again what could not be stored. */
function writing(run: ClaimedRun, runLog: RunLog, deps: WorkDeps, log: Logger): Writing {
  let last = Promise.resolve();
  const write = async (): Promise<void> => {
    const lines = runLog.take();
    try {
      await deps.logged(run, lines);
    } catch (err) {
      runLog.giveBack(lines);
      log.warn({ err }, 'lines of the log of a run could not be stored yet');
    }
  };
  return { write: () => (last = last.then(write)), settled: () => last };
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
