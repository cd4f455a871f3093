// The account of tools if the server is root: an unprivileged account, and its access to a run's files.
import { readFileSync } from 'node:fs';
import { chmod, chown, lchown, lstat, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

export interface ToolAccount {
  readonly uid: number;
  readonly gid: number;
}

/** The kernel's number for unknown users, for systems without an account of that name. */
const NOBODY: ToolAccount = { uid: 65534, gid: 65534 };

/** `nobody` of this machine. */
export function toolAccount(): ToolAccount {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'))
    ?.split(':');
  const [uid, gid] = [Number(line?.[2]), Number(line?.[3])];
  return Number.isSafeInteger(uid) && uid > 0 && Number.isSafeInteger(gid) && gid > 0 ? { uid, gid } : NOBODY;
}

/** Whether this process is root of the machine, and not only in a user namespace. */
export function isRealRoot(): boolean {
  if (process.getuid?.() !== 0) return false;
  const [inside, outside] = readFileSync('/proc/self/uid_map', 'utf8').trim().split(/\s+/);
  return inside === '0' && outside === '0';
}

/** Gives everything below a path to the account: links themselves, never their targets. */
export async function giveTree(place: string, account: ToolAccount): Promise<void> {
  await lchown(place, account.uid, account.gid);
  if (!(await lstat(place)).isDirectory()) return;
  for (const name of await readdir(place)) await giveTree(path.join(place, name), account);
}

const OTHERS_READ = 0o004,
  GROUP_READS = 0o040;

/** Lets the account read a file of the server's: through its group, if it is not readable for everybody. */
export async function letRead(file: string, { gid }: ToolAccount): Promise<void> {
  const { mode, uid, gid: group } = await stat(file);
  if ((mode & OTHERS_READ) !== 0 || (group === gid && (mode & GROUP_READS) !== 0)) return;
  await chown(file, uid, gid);
  await chmod(file, (mode & 0o777) | GROUP_READS);
}
