// What an administrator's command has made as root in the folder of a server's account belongs to that account.
import fs from 'node:fs';
import path from 'node:path';
import { systemErrorCode } from './system-error-code.ts';
import { OURS } from './private-files.ts';

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

/** PostgreSQL runs as another account, or as the folder's own: these are its files. */
const OF_POSTGRES = new Set(['cluster', 'socket']);

/** Links and sockets, which are not opened, and what is gone meanwhile. */
const PASSED_OVER: readonly unknown[] = ['ELOOP', 'EMLINK', 'ENXIO', 'ENOENT'];

function opened(file: string): number | undefined {
  try {
    return fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (PASSED_OVER.includes(systemErrorCode(error))) return undefined;
    throw error;
  }
}

/**
 * The account can rename what is in its folders while root is in them: nothing is reached by a name that is not below what is
 * open, no link is followed, and a file with a second name elsewhere stays.
 */
function give(file: string, owner: Owner): void {
  const fd = opened(file);
  if (fd === undefined) return;
  try {
    const stat = fs.fstatSync(fd);
    if (stat.isDirectory()) {
      const here = process.platform === 'linux' ? `/proc/self/fd/${fd}` : file;
      for (const name of fs.readdirSync(here)) if (!OF_POSTGRES.has(name)) give(path.join(here, name), owner);
    }
    if (stat.uid === 0 && (stat.isDirectory() || stat.nlink === 1)) fs.fchownSync(fd, owner.uid, owner.gid);
  } finally {
    fs.closeSync(fd);
  }
}

/** The account that a folder belongs to, where this process is root and it is another one's alone. */
export function otherOwner(folder: string): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const stat = fs.statSync(folder, { throwIfNoEntry: false });
  return stat === undefined || stat.uid === 0 || (stat.mode & 0o1000) !== 0
    ? undefined
    : { uid: stat.uid, gid: stat.gid };
}

/** Another account runs the cluster, and passes its folder by the group that a server of root has given it. */
function isOfThird(folder: string, owner: Owner): boolean {
  const cluster = fs.statSync(path.join(folder, 'postgres', 'cluster'), { throwIfNoEntry: false });
  return cluster !== undefined && cluster.uid !== 0 && cluster.uid !== owner.uid;
}

function giveAll(folder: string, isOurs: (name: string) => boolean): void {
  const owner = otherOwner(folder);
  if (owner === undefined || isOfThird(folder, owner)) return;
  for (const name of fs.readdirSync(folder).filter(isOurs)) give(path.join(folder, name), owner);
}

/** What a server makes in its folder. The audit log is not among it: that is the folder's owner's in any case. */
const MADE_BY_SERVERS = ['admin-key', 'artifacts', 'artifact-runs', 'postgres', 'sdl'];

const hasInstanceOf = (folder: string, uid: number): boolean =>
  MADE_BY_SERVERS.some((name) => {
    const made = fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false });
    return made?.uid === uid && !made.isSymbolicLink();
  });

/** Some volumes show all files as one account's, what root makes there, too; in others root makes nothing. */
function isRootsOwn(folder: string): boolean {
  try {
    const made = fs.mkdtempSync(path.join(folder, '.owner-'));
    const { uid } = fs.statSync(made);
    fs.rmdirSync(made);
    return uid === 0;
  } catch (error) {
    if (['EROFS', 'EACCES'].includes(systemErrorCode(error) ?? '')) return false;
    throw error;
  }
}

/**
 * The account that runs the instance in a folder, where this process is root and it is another's: what root's server makes there,
 * that account's could neither read nor remove.
 */
export function ownerOfInstance(folder: string): Owner | undefined {
  const owner = otherOwner(folder);
  return owner !== undefined && hasInstanceOf(folder, owner.uid) && isRootsOwn(folder) ? owner : undefined;
}

interface Places {
  readonly database: { readonly dataDir: string };
  readonly artifact: { readonly store: { readonly type: string; readonly path?: string } };
}

/**
 * To be called before a command makes anything. What it returns gives what is Cairn's in the data directory, and root's, to whom
 * the directory belongs; likewise in the folder of the store. Where a server of root's had made its instance there, that stays.
 */
export function givingToOwner({ database: { dataDir }, artifact: { store } }: Places): () => void {
  if (hasInstanceOf(dataDir, 0)) return () => undefined;
  return () => {
    giveAll(dataDir, (name) => OURS.test(name));
    if (store.path !== undefined && path.dirname(store.path) !== dataDir) giveAll(store.path, () => true);
  };
}
