// Follows a run: its current state, then each change, until it has ended.
import type { Notifier } from '../../../platform/notifier.ts';
import type { Run } from './run.ts';

export const isOver = ({ status }: Run): boolean => status !== 'queued' && status !== 'running';
const stateOf = (run: Run): string =>
  JSON.stringify([
    run.status,
    run.recordsFetched,
    run.recordsCreated,
    run.recordsUpdated,
    run.recordsSkipped,
    run.recordsFailed,
  ]);

/**
 * Changes while the reader is busy are merged into the latest state. Ends with the run, when it is deleted,
 * or with the signal.
 */
export async function* followRun(
  first: Run,
  read: () => Promise<Run | null>,
  progress: Notifier,
  signal: AbortSignal | undefined,
): AsyncGenerator<Run, void, undefined> {
  const waiter = await progress.waiter(first.runId, signal);
  try {
    yield first;
    for (let last = first; !isOver(last) && signal?.aborted !== true;) {
      const run = await read(); // also at first: it may have changed before the waiter existed
      if (run === null) return;
      const isNews = stateOf(run) !== stateOf(last);
      last = run;
      if (isNews) yield run;
      if (!isOver(run)) await waiter.next();
    }
  } finally {
    await waiter.release();
  }
}
