// Chooses the account that runs PostgreSQL, which refuses to run as root.
import { spawn, spawnSync, type ChildProcess, type SpawnSyncReturns } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { DomainError } from '../../errors.ts';
import { otherOwner } from '../../given-to-owner.ts';

export interface RunAs {
  readonly who: string;
  /** Runs a command and waits for its end. */
  run(command: string, args: readonly string[]): SpawnSyncReturns<string>;
  /**
   * Starts a command in the background, in a separate session so that Ctrl-C in the terminal does not reach
   * it. Its output goes to the file `log`.
   */
  start(command: string, args: readonly string[], log: number): ChildProcess;
  /** Changes a file's owner to that account; a link is not followed. */
  own(file: string): void;
}

const environment = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' });

interface Account {
  readonly uid: number;
  readonly gid: number;
}

function runAs(who: string, account: Account | undefined, prefix: readonly string[] = []): RunAs {
  const line = (command: string, args: readonly string[]): [string, string[]] => {
    const [first = command, ...rest] = [...prefix, command, ...args];
    return [first, rest];
  };
  const options = { cwd: '/', env: environment(), ...account };
  return {
    who,
    run: (command, args) => spawnSync(...line(command, args), { ...options, encoding: 'utf8' }),
    start: (command, args, log) =>
      spawn(...line(command, args), { ...options, detached: true, stdio: ['ignore', log, log] }),
    own: (file) => {
      if (account) fs.lchownSync(file, account.uid, account.gid);
    },
  };
}

/**
 * Runs as nobody in a user namespace, which is root outside of it. This works where only root may enter the
 * directory, if the kernel permits it.
 */
const inUserNamespace = (): RunAs =>
  runAs('nobody in a user namespace', undefined, [
    'unshare',
    '--user',
    '--map-user=65534',
    '--map-group=65534',
    '--',
  ]);

function accountNamed(name: string): Account | undefined {
  const fields = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((l) => l.startsWith(`${name}:`))
    ?.split(':');
  return fields && { uid: Number(fields[2]), gid: Number(fields[3]) };
}

function candidates(root: string, cluster: string): RunAs[] {
  if (fs.existsSync(cluster)) {
    // an existing cluster must run as its owner
    const { uid, gid } = fs.statSync(cluster);
    return [uid === 0 ? inUserNamespace() : runAs(`uid ${uid}`, { uid, gid })];
  }
  // the server's account, for which an administrator's command begins the instance
  const owner = otherOwner(path.dirname(root));
  const accounts = ['postgres', 'nobody'].flatMap((name) => {
    const account = accountNamed(name);
    return account ? [runAs(name, account)] : [];
  });
  return [...(owner ? [runAs(`uid ${owner.uid}`, owner)] : []), ...accounts, inUserNamespace()];
}

/**
 * Returns the current user. For root, returns the first of the cluster's owner, of that of the data directory, `postgres`, `nobody` and a
 * user namespace that can run `postgres` and reach `root`.
 * @throws DomainError `component_unavailable` listing what was tried.
 */
export function chooseRunAs(bin: string, root: string, cluster: string): RunAs {
  if (process.getuid?.() !== 0) return runAs('this user', undefined);
  const tried: string[] = [];
  for (const candidate of candidates(root, cluster)) {
    const attempt = candidate.run('sh', [
      '-c',
      '"$1" --version && cd "$0"',
      root,
      path.join(bin, 'postgres'),
    ]);
    if (attempt.status === 0) return candidate;
    tried.push(`${candidate.who}: ${(attempt.stderr ?? attempt.error?.message ?? '').trim()}`);
  }
  throw new DomainError(
    'component_unavailable',
    `PostgreSQL does not run as root, and cannot run as another user here; move the data directory to a place that other users can access, or set DATABASE_URL\n  ${tried.join('\n  ')}`,
  );
}
