// The resources of a process and its descendants. Only available on Linux.
import { readdir, readFile } from 'node:fs/promises';

export interface Usage {
  readonly processes: number;
  /** In resident bytes. */ readonly memory: number;
}

const PAGE = 4096;

/** A process that ended during the measurement counts as none. */
const readStat = (pid: string): Promise<string | null> =>
  readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);

/** Parent and resident pages of every process; the name in parentheses may contain anything. */
async function allProcesses(): Promise<Map<number, { readonly parent: number; readonly pages: number }>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid): Promise<[number, { parent: number; pages: number }] | null> => {
      const text = await readStat(pid);
      const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
      return fields === undefined
        ? null
        : [Number(pid), { parent: Number(fields[1]), pages: Number(fields[21]) }];
    }),
  );
  return new Map(found.filter((entry) => entry !== null));
}

/** Null if this system does not report it. */
export async function usageOf(roots: readonly number[]): Promise<Usage | null> {
  if (process.platform !== 'linux') return null;
  const all = await allProcesses();
  const children = new Map<number, number[]>();
  for (const [pid, { parent }] of all) children.set(parent, [...(children.get(parent) ?? []), pid]);
  let [processes, pages] = [0, 0];
  for (let waiting = [...roots]; waiting.length > 0;) {
    processes += waiting.length;
    for (const pid of waiting) pages += all.get(pid)?.pages ?? 0;
    waiting = waiting.flatMap((pid) => children.get(pid) ?? []);
  }
  return { processes, memory: pages * PAGE };
}
