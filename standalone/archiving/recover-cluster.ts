// Lets PostgreSQL recover a cluster that was taken out of an archive, up to a moment.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type ClusterFiles, SUPERUSER } from '../../platform/database/embedded/cluster.ts';
import { holdOpen, startPostmaster } from '../../platform/database/embedded/postmaster.ts';
import type { RunAs } from '../../platform/database/embedded/run-as.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Target } from './moment.ts';

export interface Recovery {
  readonly bin: string;
  readonly files: ClusterFiles;
  readonly as: RunAs;
  /** The folder with the segments of the log. */
  readonly wal: string;
}

export interface RecoveredServer {
  /** The superuser's URL; no password is asked for, by a socket that others do not reach. */
  urlFor(database: string): string;
  stop(): Promise<void>;
}

/** PostgreSQL ends with it where nothing was written between the moment and the end of the archive. */
const NOT_REACHED = 'recovery ended before configured recovery target was reached';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

async function attempt({ bin, files, as, wal }: Recovery, target: Target): Promise<RecoveredServer | string> {
  const begins = fs.existsSync(files.log) ? fs.statSync(files.log).size : 0;
  const hba = path.join(files.root, 'pg_hba.conf');
  fs.writeFileSync(hba, 'local all all trust\n', { mode: 0o600 });
  fs.writeFileSync(path.join(files.cluster, 'recovery.signal'), '', { mode: 0o600 });
  for (const file of [hba, path.join(files.cluster, 'recovery.signal')]) as.own(file);
  const hold = holdOpen(files);
  const server = await startPostmaster(bin, files, as, {
    hba_file: hba,
    hot_standby: 'off',
    default_transaction_read_only: 'off',
    restore_command: `cp ${quoted(wal)}/%f "%p"`,
    recovery_target_action: 'promote',
    ...target,
  });
  let isRunning = true;
  server.once('exit', () => (isRunning = false)).once('error', () => (isRunning = false));
  const address = fs.readFileSync(files.address, 'utf8');
  const urlFor = (database: string): string => `postgresql://${SUPERUSER}@${address}/${database}`;
  while (isRunning) {
    const client = new pg.Client({ connectionString: urlFor('postgres'), connectionTimeoutMillis: 5000 });
    client.on('error', () => undefined); // it is asked again
    try {
      await client.connect();
      const { rows } = await client.query<{ ready: boolean }>('SELECT NOT pg_is_in_recovery() AS ready');
      if (rows[0]?.ready === true)
        return {
          urlFor,
          async stop() {
            fs.closeSync(hold);
            while (isRunning) await sleep(50); // the child alone would not keep this process
          },
        };
    } catch {
      // it recovers, and takes no connections yet
    } finally {
      await client.end().catch(() => undefined);
    }
    await sleep(100);
  }
  fs.closeSync(hold);
  return fs.readFileSync(files.log, 'utf8').slice(begins);
}

/** @throws DomainError `component_unavailable` with what PostgreSQL says */
export async function recoverCluster(recovery: Recovery, target: Target): Promise<RecoveredServer> {
  let outcome = await attempt(recovery, target);
  // the archive covers the moment: then the end of it is what was there
  if (typeof outcome === 'string' && outcome.includes(NOT_REACHED)) outcome = await attempt(recovery, {});
  if (typeof outcome !== 'string') return outcome;
  throw new DomainError(
    'component_unavailable',
    `PostgreSQL does not recover what was archived:\n${outcome.trimEnd().split('\n').slice(-12).join('\n')}`,
  );
}
