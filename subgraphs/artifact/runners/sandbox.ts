// Puts a command where it can harm nothing outside its own directory, as far as this machine has the means.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Command } from './supervised-process.ts';

const run = promisify(execFile);

/** `bubblewrap`: own file system, processes and network. `namespace`: own processes only. `none`: nothing but its process group. */
export type SandboxKind = 'bubblewrap' | 'namespace' | 'none';

const works = (command: string, args: readonly string[]): Promise<boolean> =>
  run(command, args, { timeout: 10_000 }).then(() => true, () => false); // not installed, or not allowed: either way it is no use

/** What programs need of the system: to be read, never to be written. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt'];
const SETTINGS = ['alternatives', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'passwd', 'group', 'nsswitch.conf', 'localtime', 'ssl', 'ca-certificates', 'pki', 'R', 'python3', 'perl', 'java-17-openjdk', 'fonts'].map((name) => `/etc/${name}`);
const NETWORK = ['resolv.conf', 'hosts', 'services', 'protocols'].map((name) => `/etc/${name}`);

const readOnly = (places: readonly string[]): string[] => places.flatMap((place) => ['--ro-bind-try', place, place]);

const BUBBLEWRAP = ['--die-with-parent', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--new-session', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/run'];

let known: Promise<SandboxKind> | undefined;

/** The best that this machine has; found out once. */
export function sandboxKind(): Promise<SandboxKind> {
  return known ??= (async () => {
    if (process.platform !== 'linux') return 'none';
    if (await works('bwrap', [...BUBBLEWRAP, '--unshare-net', ...readOnly(SYSTEM), '/usr/bin/env', 'true'])) return 'bubblewrap';
    return await works('unshare', ['--pid', '--fork', '--kill-child', '--mount-proc', 'true']) ? 'namespace' : 'none';
  })();
}

export interface Surroundings {
  /** The one place that may be written to. */
  readonly directory: string;
  /** Other files and directories that are read. */
  readonly readable: readonly string[];
  readonly network: boolean;
}

/** The same command inside the sandbox. */
export function sandboxed(kind: SandboxKind, inner: Command, { directory, readable, network }: Surroundings): Command {
  switch (kind) {
    case 'none': return inner;
    case 'namespace': return { ...inner, command: 'unshare', args: ['--pid', '--fork', '--kill-child=KILL', '--mount-proc', inner.command, ...inner.args] };
    case 'bubblewrap': {
      const own = path.isAbsolute(inner.command) && existsSync(inner.command) && !inner.command.startsWith('/usr/') ? [path.dirname(inner.command)] : [];
      return {
        ...inner, command: 'bwrap',
        args: [
          ...BUBBLEWRAP, ...(network ? readOnly(NETWORK) : ['--unshare-net']), ...readOnly([...SYSTEM, ...SETTINGS, ...own]), ...readOnly(readable),
          '--bind', directory, directory, '--chdir', inner.cwd, '--', inner.command, ...inner.args,
        ],
      };
    }
    default: return kind satisfies never;
  }
}
