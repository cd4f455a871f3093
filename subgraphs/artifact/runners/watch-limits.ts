// Monitors the resources of a run, and reports when a limit is exceeded.
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { usageOf } from './process-tree.ts';
import type { RunLimits } from './run-limits.ts';

/** More than any sensible workflow has at once; a fork bomb reaches it immediately. */
const MAX_PROCESSES = 1000;
const LOOK_MS = 250;
const MEASURE_MS = 2000;

/** Files that disappear during the measurement count as empty. */
async function bytesBelow(directory: string): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const place = path.join(directory, entry.name);
      if (entry.isDirectory()) return bytesBelow(place);
      return entry.isFile()
        ? stat(place).then(
            ({ blocks }) => blocks * 512,
            () => 0,
          )
        : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Calls `exceeded` once with the reason.
 * @param pids of processes whose descendants count
 * @returns a function that stops monitoring
 */
export function watchLimits(
  pids: () => readonly number[],
  directory: string,
  limits: RunLimits,
  exceeded: (reason: string) => void,
): () => void {
  const stopped = new AbortController();
  const tell = (reason: string): void => {
    if (stopped.signal.aborted) return;
    stopped.abort();
    exceeded(reason);
  };
  const late = setTimeout(
    () => {
      tell(`it took longer than ${limits.timeSeconds} s`);
    },
    Math.min(limits.timeSeconds * 1000, 2 ** 31 - 1),
  );

  const look = (): void => {
    const usage = usageOf(pids(), MAX_PROCESSES);
    if (usage === null) return;
    if (usage.processes > MAX_PROCESSES)
      tell(`it had ${usage.processes} processes; the limit is ${MAX_PROCESSES}`);
    if (usage.memory > limits.ram) tell(`it used ${usage.memory} bytes of RAM; the limit is ${limits.ram}`);
  };
  const measure = async (): Promise<void> => {
    const bytes = await bytesBelow(directory);
    if (bytes > limits.disk) tell(`it used ${bytes} bytes of disk; the limit is ${limits.disk}`);
  };
  const every = async (milliseconds: number, work: () => Promise<void> | void): Promise<void> => {
    while (!stopped.signal.aborted) {
      await new Promise((resolve) => {
        setTimeout(resolve, milliseconds).unref();
      });
      if (!stopped.signal.aborted) await work();
    }
  };
  // a failed measurement does not count: the time limit applies in any case
  every(LOOK_MS, look).catch(() => undefined);
  every(MEASURE_MS, measure).catch(() => undefined);

  return () => {
    stopped.abort();
    clearTimeout(late);
  };
}
