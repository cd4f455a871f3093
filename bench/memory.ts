// The memory of a measured process while it works.
import { readFileSync } from 'node:fs';

const EVERY_MS = 100;

export const residentMiB = (pid: number): number =>
  Math.round(
    Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
  );

/** Follows the resident memory of a process, in MiB. */
export function watchMemory(pid: number): { stop(): { readonly before: number; readonly most: number } } {
  const before = residentMiB(pid);
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, residentMiB(pid));
  }, EVERY_MS).unref();
  return {
    stop() {
      clearInterval(timer);
      return { before, most };
    },
  };
}
