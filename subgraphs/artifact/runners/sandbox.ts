// Puts a command where it can harm nothing outside its own directory, as far as this machine has the means.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bubblewrapped, detectSandbox, type SandboxMechanism, withFilter } from './sandbox-probe.ts';
import type { Command } from './supervised-process.ts';
import { type Account, giveTree } from './tool-account.ts';

/**
 * `bubblewrap`: own file system, processes, network and account, no rights. `namespace`: own processes only.
 * `none`: nothing but its process group.
 */
export type SandboxKind = 'bubblewrap' | 'namespace' | 'none';

/** When tools may run without bubblewrap: never, where it cannot be had, or always. */
export type SandboxPolicy = 'required' | 'preferred' | 'off';

/** What programs need of the system: to be read, never to be written. */
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
/** What the kernel tells of itself and of others' keys. */
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

/** Directories on the way to a place, which bubblewrap would make for root alone. */
const wayTo = (place: string): string[] => {
  const above = path.dirname(place);
  return above === '/' ? [] : [...wayTo(above), '--dir', above];
};
const readOnly = (places: readonly string[]): string[] =>
  places.flatMap((place) => [...wayTo(place), '--ro-bind-try', place, place]);

/** Whether a file is seen in every sandbox, being of the system. */
export const isOfSystem = (place: string): boolean => SYSTEM.some((root) => place.startsWith(`${root}/`));

export interface SandboxPaths {
  /** The one place that may be written to; `prepare` has seen it. */
  readonly directory: string;
  /** Other files and directories that are read, also where they are below the directory. */
  readonly readable: readonly string[];
  /** Sockets of ours, by where they are seen. */
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

  /** Whom commands run as, where that is not who we are. */
  get account(): Account | null {
    return this.#mechanism.account;
  }

  /**
   * Makes a directory fit for commands: places for what is temporary, counted like all that is in it, and all
   * of it theirs.
   */
  async prepare(directory: string): Promise<void> {
    for (const name of ['tmp', 'shm']) await mkdir(path.join(directory, name), { recursive: true });
    if (this.#mechanism.account !== null) await giveTree(directory, this.#mechanism.account);
    if (this.#mechanism.kind === 'bubblewrap' && this.#mechanism.filter !== null)
      await writeFile(path.join(directory, FILTER), this.#mechanism.filter, { flag: 'wx' });
  }

  /** The same command inside. */
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
          ...readOnly([path.join(directory, FILTER)]), // the next command's as well
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

/** What commands are put into: what this machine has, unless none is wanted. */
export const findSandbox = async (policy: SandboxPolicy = 'preferred'): Promise<Sandbox> =>
  new Sandbox(policy === 'off' ? { kind: 'none', account: null } : await detectSandbox());

/** The best that this machine has; found out once. */
export const sandboxKind = async (): Promise<SandboxKind> => (await detectSandbox()).kind;
