// Where the tests' databases keep their files: in memory where there is room. Each copy of the template makes six
// hundred files, and file systems on disks look long for a free inode where as many were just removed.
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
/** Bytes that have to be free: a run of the whole suite takes a third of it. */
const ROOM = 3 * 1024 ** 3;

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false; // somebody else's: the system's temporary directory serves as well
  }
}

function hasRoom(directory: string): boolean {
  if (!existsSync(directory) || !isWritable(directory)) return false;
  const { type, bavail, bsize } = statfsSync(directory);
  return type === TMPFS && bavail * bsize > ROOM && os.freemem() > ROOM;
}

const scratchSpace = (): string => (hasRoom(MEMORY) ? MEMORY : os.tmpdir());

/**
 * A new directory for files that nothing has to survive, and for no programs: whoever makes it removes it. Other
 * accounts may pass it, as PostgreSQL may run under one.
 */
export function scratchDirectory(name: string): string {
  const directory = mkdtempSync(path.join(scratchSpace(), `cairn-${process.pid}-${name}-`));
  chmodSync(directory, 0o755);
  return directory;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes from memory what a run left there that was killed. */
export function removeAbandoned(): void {
  if (!hasRoom(MEMORY)) return;
  for (const name of readdirSync(MEMORY)) {
    const pid = /^cairn-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(path.join(MEMORY, name), { recursive: true, force: true });
  }
}
