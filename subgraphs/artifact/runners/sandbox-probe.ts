// Determines the sandbox methods of this machine by trying them, once per process.
import { execFile } from 'node:child_process';
import { constants, readFileSync } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { syscallFilter } from './syscall-filter.ts';
import { type ToolAccount, isRealRoot, toolAccount } from './tool-account.ts';

const run = promisify(execFile);

/** How bubblewrap is started here, and the path of setpriv. */
export interface Bubblewrap {
  readonly kind: 'bubblewrap';
  /** The words that start it. */
  readonly bwrap: readonly string[];
  /** The account of tools, if the server is root; null: the server's. */
  readonly account: ToolAccount | null;
  /** Changes the account. */
  readonly setpriv: string;
  /**
   * Whether tools have a user namespace of their own. Without one, only the system call filter prevents them
   * from creating some.
   */
  readonly hasUserNamespace: boolean;
  /** Whether this bubblewrap can forbid further user namespaces. */
  readonly disablesUserNamespaces: boolean;
  /** A seccomp program; null for an unknown architecture. */
  readonly filter: Buffer | null;
}

export type SandboxMechanism = Bubblewrap | { readonly kind: 'namespace' | 'none'; readonly account: null };

/** Descriptor from which the filter is read. */
const FILTER = 9;

/** Runs a command with a file as the filter's descriptor. */
export const withFilter = (
  file: string,
  [command = '', ...args]: readonly string[],
): { readonly command: string; readonly args: readonly string[] } => ({
  command: '/bin/sh',
  args: ['-c', `exec "$@" ${FILTER}<"$0"`, file, command, ...args],
});

const FRESH = [
  '--die-with-parent',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--new-session',
  '--unshare-net',
];

/**
 * The arguments before a command that put it into its namespaces and drop all rights; `laid` is its file
 * system.
 */
export function bubblewrapped(
  { bwrap, account, setpriv, hasUserNamespace, disablesUserNamespaces, filter }: Bubblewrap,
  laid: readonly string[],
  cwd: string,
): readonly string[] {
  const own = [
    '--unshare-user',
    '--cap-drop',
    'ALL',
    ...(disablesUserNamespaces ? ['--disable-userns'] : []),
  ];
  const filtered = filter === null ? [] : ['--seccomp', String(FILTER)];
  if (account === null) return [...bwrap, ...FRESH, ...own, ...filtered, ...laid, '--chdir', cwd, '--'];
  // root sets up the file system for another account: as root without capabilities it would still own root's
  // files, such as those in /proc/sys
  const capabilities = ['SETUID', 'SETGID', 'SETPCAP'].flatMap((name) => ['--cap-add', `CAP_${name}`]);
  const become = [
    setpriv,
    '--reuid',
    String(account.uid),
    '--regid',
    String(account.gid),
    '--clear-groups',
    '--no-new-privs',
    '--inh-caps=-all',
    '--bounding-set=-all',
    '--',
  ];
  const outer = [...bwrap, ...FRESH, '--cap-drop', 'ALL', ...capabilities];
  if (!hasUserNamespace) return [...outer, ...filtered, ...laid, '--chdir', cwd, '--', ...become];
  return [
    ...outer,
    ...laid,
    '--',
    ...become,
    ...bwrap,
    '--die-with-parent',
    ...own,
    ...filtered,
    '--dev-bind',
    '/',
    '/',
    '--chdir',
    cwd,
    '--',
  ];
}

async function find(command: string): Promise<string | null> {
  for (const directory of [
    ...(process.env['PATH'] ?? '').split(':'),
    '/usr/bin',
    '/bin',
    '/usr/local/bin',
  ].filter((place) => path.isAbsolute(place))) {
    const place = path.join(directory, command);
    if (
      await access(place, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return place;
  }
  return null;
}

const works = (command: string, args: readonly string[]): Promise<boolean> =>
  run(command, args, { timeout: 20_000 }).then(
    () => true,
    () => false,
  ); // not installed, or not permitted: in both cases unusable

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'].flatMap((place) => [
  '--ro-bind-try',
  place,
  place,
]);

/**
 * Whether programs that this process starts have capabilities, such as that for ports below 1024: bubblewrap then ends
 * at once, unless it is root's.
 */
const passesCapabilitiesOn = (): boolean =>
  process.getuid?.() !== 0 && /^CapAmb:\s*0*[1-9a-f]/m.test(readFileSync('/proc/self/status', 'utf8'));

/** The strictest method that works for this account. */
async function tryBubblewrap(bwrap: string, aside: string): Promise<Bubblewrap | null> {
  const setpriv = await find('setpriv');
  const words =
    setpriv !== null && passesCapabilitiesOn()
      ? [setpriv, '--ambient-caps=-all', '--inh-caps=-all', '--', bwrap]
      : [bwrap];
  const [command = bwrap, ...args] = words;
  const help = await run(command, [...args, '--help'], { timeout: 20_000 }).then(
    ({ stdout, stderr }) => stdout + stderr,
    () => '',
  );
  const common = {
    kind: 'bubblewrap' as const,
    bwrap: words,
    setpriv: setpriv ?? '',
    filter: syscallFilter(),
  };
  const disables = help.includes('--disable-userns') ? [true, false] : [false];
  const own = disables.map((disablesUserNamespaces): Bubblewrap => ({
    ...common,
    account: null,
    hasUserNamespace: true,
    disablesUserNamespaces,
  }));
  const account = process.getuid?.() === 0 && setpriv !== null ? toolAccount() : null;
  const others =
    account === null
      ? []
      : [
          ...disables.map((disablesUserNamespaces): Bubblewrap => ({
            ...common,
            account,
            hasUserNamespace: true,
            disablesUserNamespaces,
          })),
          ...(common.filter === null
            ? []
            : [{ ...common, account, hasUserNamespace: false, disablesUserNamespaces: false }]),
        ];
  const filter = path.join(aside, 'filter');
  if (common.filter !== null) await writeFile(filter, common.filter);
  for (const way of [...others, ...(isRealRoot() ? [] : own)]) {
    const words = [
      ...bubblewrapped(
        way,
        ['--tmpfs', '/tmp', '--proc', '/proc', '--dev', '/dev', ...SYSTEM, '--remount-ro', '/'],
        '/',
      ),
      '/usr/bin/env',
      'true',
    ];
    const { command, args } =
      way.filter === null ? { command: words[0] ?? '', args: words.slice(1) } : withFilter(filter, words);
    if (await works(command, args)) return way;
  }
  return null;
}

async function probe(): Promise<SandboxMechanism> {
  if (process.platform !== 'linux') return { kind: 'none', account: null };
  const bwrap = await find('bwrap');
  const aside = await mkdtemp(path.join(os.tmpdir(), 'cairn-sandbox-'));
  try {
    const found = bwrap === null ? null : await tryBubblewrap(bwrap, aside);
    if (found !== null) return found;
  } finally {
    await rm(aside, { recursive: true });
  }
  return {
    kind: (await works('unshare', ['--pid', '--fork', '--kill-child', '--mount-proc', 'true']))
      ? 'namespace'
      : 'none',
    account: null,
  };
}

let known: Promise<SandboxMechanism> | undefined;

/** The best method of this machine; determined once. */
export const detectSandbox = (): Promise<SandboxMechanism> => (known ??= probe());
