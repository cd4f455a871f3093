// What a worker is called in the leases that it holds: so that others on the same machine can tell that it has died, and need not wait for its lease to end.
import { randomUUID } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';

interface Surroundings {
  readonly boot: string;
  readonly processes: string;
}

/** The boot of this machine's system, and the numbering of processes that we see: numbers mean something within both only. */
async function surroundings(): Promise<Surroundings | null> {
  try {
    const [boot, processes] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readlink('/proc/self/ns/pid'),
    ]);
    return { boot: boot.trim(), processes: processes.replaceAll(/\D/g, '') };
  } catch {
    return null; // not Linux, or not told: then nothing is known of others
  }
}

/** When a process began, in the system's own ticks; null for one that is not there. A number that was given again has another time. */
async function beganAt(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch((fault: unknown) => {
    if (fault instanceof Error && 'code' in fault && (fault.code === 'ENOENT' || fault.code === 'ESRCH'))
      return null;
    throw fault;
  });
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

/** A name that no other worker has, and that says which process it is where that can be said. */
export async function ownerName(): Promise<string> {
  const around = await surroundings();
  const own = around && (await beganAt(process.pid));
  return own === null
    ? randomUUID()
    : `${around?.boot ?? ''}/${around?.processes ?? ''}/${process.pid}/${own}/${randomUUID()}`;
}

/** Whether an owner's process has ended for certain. Of processes elsewhere nothing is known: false. */
export async function isDead(owner: string): Promise<boolean> {
  const [boot, processes, pid, began] = owner.split('/');
  const around = began === undefined ? null : await surroundings();
  if (around === null || around.boot !== boot || around.processes !== processes) return false;
  return (await beganAt(Number(pid))) !== began;
}
