// What a process and all its descendants take of this machine (proc_pid_stat(5), proc_tid_children(5)). Only Linux
// tells; elsewhere nothing is known.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { systemErrorCode } from '../../../platform/system-error-code.ts';

export interface Usage {
  readonly processes: number;
  /** Resident bytes. */
  readonly memory: number;
}

const PAGE = 4096;
const isKnown = existsSync(`/proc/self/task/${process.pid}/children`);

/** What `read` returns, or `gone` where the process has ended meanwhile. */
function ofLiving<Value>(read: () => Value, gone: Value): Value {
  try {
    return read();
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    if (code === 'ENOENT' || code === 'ESRCH') return gone;
    throw thrown;
  }
}

const residentBytes = (pid: number): number =>
  ofLiving(() => Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * PAGE, 0);

/** Children are listed by the thread that made them. */
const childrenOf = (pid: number): number[] =>
  ofLiving(() => readdirSync(`/proc/${pid}/task`), []).flatMap((thread) =>
    ofLiving(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1'), '')
      .split(' ')
      .filter((child) => child !== '')
      .map(Number),
  );

/**
 * Reads the processes of these trees only, one after another, synchronously: files of /proc are in memory, and a
 * turn of the event loop for each costs more than reading it. Stops after `max` processes.
 * @returns null where this system does not tell
 */
export function usageOf(roots: readonly number[], max: number): Usage | null {
  if (!isKnown) return null;
  const found = [...roots];
  let memory = 0;
  // the list grows while it is walked
  for (const pid of found) {
    memory += residentBytes(pid);
    if (found.length <= max) found.push(...childrenOf(pid));
  }
  return { processes: found.length, memory };
}
