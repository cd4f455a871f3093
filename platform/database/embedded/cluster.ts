// Where the embedded database keeps its files, and how the cluster and its passwords come to be.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { DomainError } from '../../errors.ts';
import type { RunAs } from './run-as.ts';

/** The bootstrap superuser: makes roles and applies migrations at start, and is nobody at other times. */
export const SUPERUSER = 'cairn_superuser';

export interface ClusterFiles {
  readonly root: string;
  readonly cluster: string;
  readonly log: string;
  /** Every user of the server holds this open; when the last one is gone, the server stops. */
  readonly users: string;
  /** Where it listens over TCP: the port of the last start, taken again where free, so that a restarted server is found again. */
  readonly port: string;
  /** What stands between `@` and `/` in a URL of the server that was started last. */
  readonly address: string;
}

/** Makes the directory below `dataDir`. Others may enter (PostgreSQL may run as somebody else), secrets are 0600. */
export function clusterFiles(dataDir: string): ClusterFiles {
  const wanted = path.resolve(dataDir, 'postgres');
  const made = fs.mkdirSync(wanted, { recursive: true });
  if (made !== undefined && process.getuid?.() === 0) {
    for (let dir = wanted; dir.length >= made.length; dir = path.dirname(dir)) fs.chmodSync(dir, 0o755); // a strict umask would shut PostgreSQL out
  }
  const root = fs.realpathSync(wanted);
  return {
    root,
    cluster: path.join(root, 'cluster'),
    log: path.join(root, 'postgres.log'),
    users: path.join(root, 'users.fifo'),
    port: path.join(root, 'port'),
    address: path.join(root, 'address'),
  };
}

/** Reads the password kept in `<root>/<name>-password`, making one where there is none. */
export function passwordOf(name: string, root: string): string {
  const file = path.join(root, `${name}-password`);
  const fresh = `${file}.${process.pid}`;
  if (!fs.existsSync(file)) {
    fs.writeFileSync(fresh, randomBytes(24).toString('base64url'), { mode: 0o600 });
    try {
      fs.linkSync(fresh, file); // whole or not at all, and never over another's
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      fs.rmSync(fresh, { force: true });
    }
  }
  return fs.readFileSync(file, 'utf8');
}

const ABANDONED_MS = 600_000;

/** Removes what an `initdb` left behind that was killed. */
function removeAbandoned(root: string): void {
  for (const name of fs.readdirSync(root).filter((n) => n.startsWith('init-'))) {
    const dir = path.join(root, name);
    const stat = fs.statSync(dir, { throwIfNoEntry: false });
    if (stat && Date.now() - stat.mtimeMs > ABANDONED_MS) fs.rmSync(dir, { recursive: true, force: true });
  }
}

/** Runs `initdb` aside and moves the result into place: of two that race, one wins whole. */
export function initCluster(bin: string, files: ClusterFiles, as: RunAs): void {
  if (fs.existsSync(path.join(files.cluster, 'PG_VERSION'))) return;
  removeAbandoned(files.root);
  const aside = fs.mkdtempSync(path.join(files.root, 'init-'));
  try {
    const password = path.join(aside, 'password');
    fs.writeFileSync(password, passwordOf(SUPERUSER, files.root), { mode: 0o600 });
    for (const file of [aside, password]) as.own(file);
    const made = path.join(aside, 'cluster');
    const result = as.run(path.join(bin, 'initdb'), [
      '-D',
      made,
      '-U',
      SUPERUSER,
      '--pwfile',
      password,
      '-A',
      'scram-sha-256',
      '-E',
      'UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--data-checksums',
      '--no-instructions',
    ]);
    if (result.status !== 0) {
      throw new DomainError(
        'component_unavailable',
        `the embedded database could not be initialised: ${(result.stderr ?? '') || (result.error?.message ?? '')}`,
      );
    }
    try {
      fs.renameSync(made, files.cluster);
    } catch (error) {
      if (!fs.existsSync(path.join(files.cluster, 'PG_VERSION'))) throw error;
    }
  } finally {
    fs.rmSync(aside, { recursive: true, force: true });
  }
}
