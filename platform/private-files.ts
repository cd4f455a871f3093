// Restricts the data directory to the server's account. Permissions that an earlier version or a lax umask
// left open are removed at start.
import fs from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import { systemErrorCode } from './system-error-code.ts';

/** Access for the owner only: read, write and enter. */
const PRIVATE = 0o700;
/** A directory that others use too: they may enter it and cannot list it. */
const SHARED = 0o711;
/** As root, PostgreSQL runs as another account: its group alone may enter, and cannot list. */
const PASSABLE = 0o710;
const STICKY = 0o1000;

/** The directory below the data directory that an embedded PostgreSQL must reach. */
const POSTGRES = 'postgres';

/** The files that Cairn itself keeps in the data directory. Other files there are left unchanged. */
export const OURS = /^(?:postgres|admin-key|audit\.jsonl(?:\.\d+)?|artifacts|artifact-runs|sdl)$/;

/**
 * Removes permissions; never adds any. A directory that is shared deliberately (`/tmp`) or owned by another
 * user is left unchanged.
 */
function close(file: string, mask: number): void {
  const { mode, uid } = fs.lstatSync(file);
  const open = mode & 0o777 & ~mask;
  if (
    open === 0 ||
    (mode & STICKY) !== 0 ||
    uid !== process.geteuid?.() ||
    (mode & fs.constants.S_IFMT) === fs.constants.S_IFLNK
  )
    return;
  fs.chmodSync(file, mode & 0o777 & mask);
}

/** The group that PostgreSQL runs in where that is not ours: whoever owns the cluster. */
function postgresGroup(dataDir: string): number | null {
  if (process.geteuid?.() !== 0) return null;
  const cluster = fs.statSync(path.join(dataDir, POSTGRES, 'cluster'), { throwIfNoEntry: false });
  return cluster === undefined || cluster.uid === 0 ? null : cluster.gid;
}

/** Where anybody could pass, that group can; where nobody could, nobody can. */
function closeTo(file: string, group: number): void {
  const { mode, uid } = fs.lstatSync(file);
  if (uid === process.geteuid?.() && (mode & STICKY) === 0 && (mode & 0o001) !== 0) {
    fs.chownSync(file, uid, group);
    fs.chmodSync(file, mode & 0o710);
  }
  close(file, PASSABLE);
}

/**
 * Restricts the data directory and its direct children, which protects everything below. New files are
 * restricted by the process's umask. A failure is logged and does not stop the start.
 */
export function keepPrivate(dataDir: string, log: Logger): void {
  if (!fs.existsSync(dataDir)) return;
  const group = postgresGroup(dataDir);
  const attempt = (file: string, work: (file: string) => void): void => {
    try {
      work(file);
    } catch (err) {
      if (systemErrorCode(err) !== 'ENOENT')
        log.warn({ err, file }, 'other users can read this file: its permissions could not be restricted');
    }
  };
  const [names, ours] = [fs.readdirSync(dataDir), (name: string): boolean => OURS.test(name)];
  attempt(dataDir, (file) => {
    if (group === null) close(file, PRIVATE);
    else if (names.every(ours)) closeTo(file, group);
    else close(file, SHARED);
  });
  for (const name of names.filter(ours))
    attempt(path.join(dataDir, name), (file) => {
      if (name === POSTGRES && group !== null) closeTo(file, group);
      else close(file, PRIVATE);
    });
  const beside = path.join(dataDir, POSTGRES);
  if (group !== null || !fs.existsSync(beside)) return; // else PostgreSQL's account has its own there
  for (const name of fs.readdirSync(beside))
    attempt(path.join(beside, name), (file) => {
      close(file, PRIVATE);
    });
}
