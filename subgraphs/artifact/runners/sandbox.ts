// Runs a command so that it cannot affect anything outside its own directory, as far as this machine supports
// it.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bubblewrapped, detectSandbox, type SandboxMechanism, withFilter } from './sandbox-probe.ts';
import type { Command } from './supervised-process.ts';
import { type ToolAccount, giveTree } from './tool-account.ts';

/**
 * `bubblewrap`: own file system, processes, network and account, no rights. `namespace`: own processes only.
 * `none`: only its process group.
 */
export type SandboxKind = 'bubblewrap' | 'namespace' | 'none';

/** When tools may run without bubblewrap: never, if it is not available, or always. */
export type SandboxPolicy = 'required' | 'preferred' | 'off';

/** System directories for programs, read-only. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt'];
const SETTINGS = [
  'alternatives',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'passwd',
  'group',
  'nsswitch.conf',
  'localtime',
  'ssl',
  'ca-certificates',
  'pki',
  'R',
  'python3',
  'perl',
  'java-17-openjdk',
  'fonts',
  'services',
  'protocols',
].map((name) => `/etc/${name}`);
/** Kernel information and keys, which are hidden. */
const HIDDEN = [
  'keys',
  'key-users',
  'kcore',
  'kmsg',
  'kallsyms',
  'sched_debug',
  'timer_list',
  'latency_stats',
  'sysrq-trigger',
].map((name) => `/proc/${name}`);

/** Parent directories of a path, which bubblewrap would create for root only. */
const wayTo = (place: string): string[] => {
  const above = path.dirname(place);
  return above === '/' ? [] : [...wayTo(above), '--dir', above];
};
const readOnly = (places: readonly string[]): string[] =>
  places.flatMap((place) => [...wayTo(place), '--ro-bind-try', place, place]);

/** Whether a file is part of the system, and so visible in every sandbox. */
export const isOfSystem = (place: string): boolean => SYSTEM.some((root) => place.startsWith(`${root}/`));

export interface SandboxPaths {
  /** The only writable directory, passed to `prepare` before. */
  readonly directory: string;
  /** Other readable files and directories, also if they are below the directory. */
  readonly readable: readonly string[];
  /** Our sockets, by their paths in the sandbox. */
  readonly sockets?: Readonly<Record<string, string>>;
}

const FILTER = '.filter';

export class Sandbox {
  readonly #mechanism: SandboxMechanism;

  constructor(found: SandboxMechanism) {
    this.#mechanism = found;
  }

  get kind(): SandboxKind {
    return this.#mechanism.kind;
  }

  /** The account of commands, if it is not ours. */
  get account(): ToolAccount | null {
    return this.#mechanism.account;
  }

  /**
   * Prepares a directory for commands: adds temporary directories, counted like the rest, and gives it to
   * their account.
   */
  async prepare(directory: string): Promise<void> {
    for (const name of ['tmp', 'shm']) await mkdir(path.join(directory, name), { recursive: true });
    if (this.#mechanism.account !== null) await giveTree(directory, this.#mechanism.account);
    if (this.#mechanism.kind === 'bubblewrap' && this.#mechanism.filter !== null)
      await writeFile(path.join(directory, FILTER), this.#mechanism.filter, { flag: 'wx' });
  }

  /** The same command inside the sandbox. */
  wrap(inner: Command, { directory, readable, sockets = {} }: SandboxPaths): Command {
    switch (this.#mechanism.kind) {
      case 'none':
        return inner;
      case 'namespace':
        return {
          ...inner,
          command: 'unshare',
          args: ['--pid', '--fork', '--kill-child=KILL', '--mount-proc', inner.command, ...inner.args],
        };
      case 'bubblewrap': {
        const laid = [
          '--proc',
          '/proc',
          ...HIDDEN.filter((place) => existsSync(place)).flatMap((place) => [
            '--ro-bind',
            '/dev/null',
            place,
          ]),
          '--dev',
          '/dev',
          '--bind',
          path.join(directory, 'tmp'),
          '/tmp',
          '--bind',
          path.join(directory, 'shm'),
          '/dev/shm',
          ...readOnly([...SYSTEM, ...SETTINGS]),
          ...wayTo(directory),
          '--bind',
          directory,
          directory,
          ...readOnly(readable),
          ...readOnly([path.join(directory, FILTER)]), // shared with the next command
          ...Object.entries(sockets).flatMap(([seen, socket]) => [...wayTo(seen), '--ro-bind', socket, seen]),
          '--remount-ro',
          '/dev',
          '--remount-ro',
          '/',
        ];
        const words = [...bubblewrapped(this.#mechanism, laid, inner.cwd), inner.command, ...inner.args];
        const [command = '', ...args] = words;
        return {
          ...inner,
          ...(this.#mechanism.filter === null
            ? { command, args }
            : withFilter(path.join(directory, FILTER), words)),
        };
      }
      default:
        return this.#mechanism satisfies never;
    }
  }
}

/** The method for commands: the best of this machine, unless it is off. */
export const findSandbox = async (policy: SandboxPolicy = 'preferred'): Promise<Sandbox> =>
  new Sandbox(policy === 'off' ? { kind: 'none', account: null } : await detectSandbox());

/** The best method of this machine; determined once. */
export const sandboxKind = async (): Promise<SandboxKind> => (await detectSandbox()).kind;
