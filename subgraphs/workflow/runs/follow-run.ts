// A run as it goes on: what it is now, then whenever it has come further, until it has ended.
import type { ProgressBell } from './progress-bell.ts';
import type { Run } from './run.ts';

const isOver = ({ status }: Run): boolean => status !== 'queued' && status !== 'running';
const stateOf = (run: Run): string =>
  JSON.stringify([
    run.status,
    run.recordsFetched,
    run.recordsCreated,
    run.recordsUpdated,
    run.recordsSkipped,
    run.recordsFailed,
  ]);

/** What comes meanwhile is told once: a slow reader sees the latest. Ends with the run, when it is gone, or with the signal. */
export async function* followRun(
  first: Run,
  read: () => Promise<Run | null>,
  bell: ProgressBell,
  signal: AbortSignal | undefined,
): AsyncGenerator<Run, void, undefined> {
  let wake = (): void => undefined;
  let rung = true; // it may have come further since it was read
  const release = await bell.follow(first.runId, () => {
    rung = true;
    wake();
  });
  const stop = (): void => {
    wake();
  };
  const isGone = (): boolean => signal?.aborted === true;
  signal?.addEventListener('abort', stop, { once: true });
  try {
    yield first;
    for (let last = first; !isOver(last) && !isGone();) {
      if (!rung)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, bell.pollMs);
          timer.unref();
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      if (isGone()) return;
      rung = false;
      const run = await read();
      if (run === null) return;
      if (stateOf(run) === stateOf(last)) continue;
      last = run;
      yield run;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    release();
  }
}
