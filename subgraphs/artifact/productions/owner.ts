// The name of a worker in its leases: other workers on the same machine can see that its process has ended, and
// need not wait for the lease.
import { randomUUID } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { systemErrorCode } from '../../../platform/system-error-code.ts';

interface MachineIdentity {
  readonly boot: string;
  readonly processes: string;
}

/** The boot id of this machine and the process id namespace: a process id is only meaningful within both. */
async function machineIdentity(): Promise<MachineIdentity | null> {
  try {
    const [boot, processes] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readlink('/proc/self/ns/pid'),
    ]);
    return { boot: boot.trim(), processes: processes.replaceAll(/\D/g, '') };
  } catch {
    return null; // not Linux, or not readable: nothing is known of other processes
  }
}

/**
 * When a process began, in ticks since the boot; null if there is none. It distinguishes a process from a
 * later one with the same id.
 */
async function beganAt(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch((fault: unknown) => {
    if (['ENOENT', 'ESRCH'].includes(systemErrorCode(fault) ?? '')) return null;
    throw fault;
  });
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

/** A unique name; it contains the identity of the process if the system shows it. */
export async function ownerName(): Promise<string> {
  const around = await machineIdentity();
  const own = around && (await beganAt(process.pid));
  return own === null
    ? randomUUID()
    : `${around?.boot ?? ''}/${around?.processes ?? ''}/${process.pid}/${own}/${randomUUID()}`;
}

/** Whether it is certain that an owner's process has ended; false for processes of other machines. */
export async function isDead(owner: string): Promise<boolean> {
  const [boot, processes, pid, began] = owner.split('/');
  const around = began === undefined ? null : await machineIdentity();
  if (around === null || around.boot !== boot || around.processes !== processes) return false;
  return (await beganAt(Number(pid))) !== began;
}
