// A PostgreSQL for one test that the test may kill and start again, always at the same address; or a standby of one.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { locateBinaries } from '../../platform/database/embedded/binaries.ts';
import {
  clusterFiles,
  type ClusterFiles,
  initCluster,
  passwordOf,
  SUPERUSER,
} from '../../platform/database/embedded/cluster.ts';
import { holdOpen, startPostmaster } from '../../platform/database/embedded/postmaster.ts';
import { chooseRunAs, type RunAs } from '../../platform/database/embedded/run-as.ts';

export interface MortalPostgres extends AsyncDisposable {
  /** The superuser's URL. */
  readonly url: string;
  readonly files: ClusterFiles;
  /** Ends it: SIGKILL like a crash, SIGQUIT like `pg_ctl stop -m immediate`. */
  kill(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void>;
  /** Starts it again; resolves when it answers. */
  revive(): Promise<void>;
}

/** A host of a test network (test/hosts/network.ts) that it runs on. */
export interface Place {
  readonly address: string;
  readonly port: number;
  /** Stands before a command that runs there. */
  readonly within: readonly string[];
  /** Of its clients, in CIDR notation. */
  readonly range: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** Below the ephemeral ports, so that no connection takes it while nobody listens. */
export const randomPort = (): number => 20_000 + Math.floor(Math.random() * 10_000);

/** The account is changed where the host has been entered, for which one has to be root. */
function runningThere(as: RunAs, { within: [enter = '', ...rest] }: Place, cluster: string): RunAs {
  const { uid, gid } = fs.statSync(cluster);
  const become = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  return {
    ...as,
    start: (command, args, log) =>
      spawn(enter, [...rest, ...become, command, ...args], {
        cwd: '/',
        env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
        detached: true,
        stdio: ['ignore', log, log],
      }),
  };
}

/** Copies a directory that is written to. What is removed meanwhile is no part of a base backup. */
async function copyLive(from: string, to: string): Promise<void> {
  const env = { ...process.env, LC_ALL: 'C' };
  await promisify(execFile)('cp', ['-a', from, to], { env, maxBuffer: 64 << 20 }).catch((fault: unknown) => {
    const said = fault instanceof Error && 'stderr' in fault ? String(fault.stderr).trim().split('\n') : [];
    if (said.length === 0 || !said.every((line) => line.endsWith('No such file or directory'))) throw fault;
  });
  fs.rmSync(path.join(to, 'postmaster.pid'), { force: true });
}

/** Copies the cluster of a running primary, and makes the copy follow it. */
async function copyOf({ url, files: { root, cluster } }: MortalPostgres, files: ClusterFiles): Promise<void> {
  const primary = new pg.Client(url);
  await primary.connect();
  try {
    await primary.query(`SELECT pg_backup_start('standby', true)`);
    await copyLive(cluster, files.cluster);
    const { rows } = await primary.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(false)',
    );
    fs.writeFileSync(path.join(files.cluster, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await primary.end();
  }
  for (const name of fs.readdirSync(root).filter((one) => one.endsWith('-password')))
    fs.copyFileSync(path.join(root, name), path.join(files.root, name));
  fs.writeFileSync(path.join(files.cluster, 'standby.signal'), '');
  fs.appendFileSync(
    path.join(files.cluster, 'postgresql.auto.conf'),
    `primary_conninfo = '${url.replace(/\/postgres$/, '')}'\n`,
  );
}

/** By default it listens on loopback. @param primary that it follows */
export async function mortalPostgres(primary?: MortalPostgres, place?: Place): Promise<MortalPostgres> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-mortal-'));
  fs.chmodSync(dataDir, 0o755); // PostgreSQL may run under another account
  const files = clusterFiles(dataDir);
  const bin = locateBinaries();
  const as = chooseRunAs(bin, files.root, files.cluster);
  if (primary === undefined) {
    initCluster(bin, files, as);
    if (place !== undefined)
      fs.appendFileSync(
        path.join(files.cluster, 'pg_hba.conf'),
        ['all', 'replication'].map((what) => `host ${what} all ${place.range} scram-sha-256\n`).join(''),
      );
  } else {
    await copyOf(primary, files);
    for (const file of [
      files.cluster,
      ...fs.readdirSync(files.cluster, { recursive: true, encoding: 'utf8' }),
    ])
      as.own(path.resolve(files.cluster, file));
  }
  fs.writeFileSync(files.port, String(place?.port ?? randomPort()));
  const address = place?.address ?? '127.0.0.1';
  const there = place === undefined ? as : runningThere(as, place, files.cluster);
  const hold = holdOpen(files);
  let child: ChildProcess | undefined;
  const url = (): string =>
    `postgresql://${SUPERUSER}:${passwordOf(SUPERUSER, files.root)}@${address}:${fs.readFileSync(files.port, 'utf8')}/postgres`;

  const answers = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString: url(), connectionTimeoutMillis: 2000 });
    client.on('error', () => undefined); // the next attempt follows
    try {
      await client.connect();
      await client.query('SELECT 1');
      return true;
    } catch {
      return false; // not yet: retried until it does
    } finally {
      await client.end().catch(() => undefined); // never connected
    }
  };
  const revive = async (): Promise<void> => {
    for (;;) {
      const settings = { fsync: 'off', listen_addresses: address, ...place?.settings };
      const started = await startPostmaster(bin, files, there, settings);
      child = started;
      while (started.exitCode === null && started.signalCode === null) {
        if (await answers()) return;
        await sleep(50);
      }
      await sleep(200); // processes of the killed one have not exited yet
    }
  };
  await revive();
  const first = url();
  return {
    url: first,
    files,
    async kill(signal) {
      const gone = child && once(child, 'exit');
      process.kill(
        Number(fs.readFileSync(path.join(files.cluster, 'postmaster.pid'), 'utf8').split('\n')[0]),
        signal,
      );
      await gone;
    },
    async revive() {
      await revive();
      if (url() !== first) throw new Error('another process has taken its port');
    },
    async [Symbol.asyncDispose]() {
      const gone = child?.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      fs.closeSync(hold);
      await gone;
      fs.rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    },
  };
}
