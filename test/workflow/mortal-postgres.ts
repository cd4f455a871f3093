// A PostgreSQL for one test that the test may kill and start again, always at the same address; or a standby of one.
import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
import { chooseRunAs } from '../../platform/database/embedded/run-as.ts';

export interface MortalPostgres extends AsyncDisposable {
  /** The superuser's URL. */
  readonly url: string;
  readonly files: ClusterFiles;
  /** Ends it: SIGKILL like a crash, SIGQUIT like `pg_ctl stop -m immediate`. */
  kill(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void>;
  /** Starts it again; resolves when it answers. */
  revive(): Promise<void>;
}

/** Below the ephemeral ports, so that no connection takes it while nobody listens. */
const randomPort = (): number => 20_000 + Math.floor(Math.random() * 10_000);

/** Copies the cluster of a running primary, and makes the copy follow it. */
async function copyOf({ url, files: { root, cluster } }: MortalPostgres, files: ClusterFiles): Promise<void> {
  const primary = new pg.Client(url);
  await primary.connect();
  try {
    await primary.query(`SELECT pg_backup_start('standby', true)`);
    fs.cpSync(cluster, files.cluster, {
      recursive: true,
      filter: (file) => !file.endsWith('postmaster.pid'),
    });
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

export async function mortalPostgres(primary?: MortalPostgres): Promise<MortalPostgres> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'cairn-mortal-'));
  fs.chmodSync(dataDir, 0o755); // PostgreSQL may run under another account
  const files = clusterFiles(dataDir);
  const bin = locateBinaries();
  const as = chooseRunAs(bin, files.root, files.cluster);
  if (primary === undefined) initCluster(bin, files, as);
  else {
    await copyOf(primary, files);
    for (const file of [
      files.cluster,
      ...fs.readdirSync(files.cluster, { recursive: true, encoding: 'utf8' }),
    ])
      as.own(path.resolve(files.cluster, file));
  }
  fs.writeFileSync(files.port, String(randomPort()));
  const hold = holdOpen(files);
  let child: ChildProcess | undefined;
  const url = (): string =>
    `postgresql://${SUPERUSER}:${passwordOf(SUPERUSER, files.root)}@127.0.0.1:${fs.readFileSync(files.port, 'utf8')}/postgres`;

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
      const started = await startPostmaster(bin, files, as, { fsync: 'off', listen_addresses: '127.0.0.1' });
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
