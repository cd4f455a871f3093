// Manages the files of the embedded database: creates the cluster and its passwords.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { DomainError } from '../../errors.ts';
import type { RunAs } from './run-as.ts';
import { systemErrorCode } from '../../system-error-code.ts';

/** The bootstrap superuser. It creates roles and applies migrations at start, and is not used otherwise. */
export const SUPERUSER = 'cairn_superuser';

export interface ClusterFiles {
  readonly root: string;
  readonly cluster: string;
  readonly log: string;
  /**
   * A FIFO that every process using the server holds open. The server stops when the last process has closed
   * it.
   */
  readonly users: string;
  /** The TCP port of the last start. It is reused where free, so that clients find a restarted server. */
  readonly port: string;
  /** The part between `@` and `/` in a URL of the server that was started last. */
  readonly address: string;
}

/** Names a data directory into which a restore is under way, or was interrupted. */
export const restoringFile = ({ root }: ClusterFiles): string => path.join(root, 'restoring');

/**
 * Whether a data directory has a database already.
 * @throws EACCES where this account may not look, which is not the same as there being none
 */
export const hasCluster = (dataDir: string): boolean =>
  fs.statSync(path.resolve(dataDir, 'postgres', 'cluster', 'PG_VERSION'), { throwIfNoEntry: false }) !==
  undefined;

/**
 * Creates the directory below `dataDir`. Others may enter it until it is known which account PostgreSQL runs
 * as; secrets have mode 0600.
 */
export function clusterFiles(dataDir: string): ClusterFiles {
  const wanted = path.resolve(dataDir, 'postgres');
  const made = fs.mkdirSync(wanted, { recursive: true });
  if (made !== undefined && process.getuid?.() === 0) {
    // With a strict umask, PostgreSQL could not enter.
    for (let dir = wanted; dir.length >= made.length; dir = path.dirname(dir)) fs.chmodSync(dir, 0o711);
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

/** Reads the password stored in `<root>/<name>-password`. Creates one where there is none. */
export function passwordOf(name: string, root: string): string {
  const file = path.join(root, `${name}-password`);
  const fresh = `${file}.${process.pid}`;
  if (!fs.existsSync(file)) {
    fs.writeFileSync(fresh, randomBytes(24).toString('base64url'), { mode: 0o600 });
    try {
      fs.linkSync(fresh, file); // atomic, and does not replace another process's file
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    } finally {
      fs.rmSync(fresh, { force: true });
    }
  }
  return fs.readFileSync(file, 'utf8');
}

const ABANDONED_MS = 600_000;

/** Removes directories left behind by a killed `initdb`. */
function removeAbandoned(root: string): void {
  for (const name of fs.readdirSync(root).filter((n) => n.startsWith('init-'))) {
    const dir = path.join(root, name);
    const stat = fs.statSync(dir, { throwIfNoEntry: false });
    if (stat && Date.now() - stat.mtimeMs > ABANDONED_MS) fs.rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * Runs `initdb` in a temporary directory and moves the result into place. Of two concurrent runs, one wins.
 */
export function initCluster(bin: string, files: ClusterFiles, as: RunAs): void {
  if (fs.existsSync(path.join(files.cluster, 'PG_VERSION'))) return;
  if (fs.existsSync(restoringFile(files)))
    throw new DomainError(
      'conflict',
      'a restore into this data directory has not ended, or was interrupted: run "cairn restore" again',
    );
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
