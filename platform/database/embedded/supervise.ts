// An embedded PostgreSQL for one data directory: the first process starts it, others attach, and it ends with the last of them.
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { DomainError } from '../../errors.ts';
import { clusterMajorOf, locateBinaries } from './binaries.ts';
import { type ClusterFiles, clusterFiles, initCluster, passwordOf, SUPERUSER } from './cluster.ts';
import { holdOpen, postmasterState, startPostmaster } from './postmaster.ts';
import { chooseRunAs } from './run-as.ts';

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log: Logger;
  /** postgresql.conf settings over ours. */
  readonly settings?: Readonly<Record<string, string>>;
  /** `database.binaries`: the PostgreSQL to run. */
  readonly binaries?: string | undefined;
  /** How long a start may take, in milliseconds; 60 s unless given. */
  readonly timeoutMs?: number;
}

export interface EmbeddedServer {
  /** Whether this process started the server. */
  readonly started: boolean;
  /** Where PostgreSQL and its secrets live. */
  readonly root: string;
  urlFor(user: string, password: string, database: string): string;
  /** The URL of the bootstrap superuser. */
  superuserUrl(database: string): string;
  /** Gives up our use of the server. Resolves when it has stopped, if nobody else uses it. */
  release(): Promise<void>;
}

const urlOf = (address: string, user: string, password: string, database: string): string =>
  `postgresql://${user}:${password}@${address}/${database}`;

/** The address of a server that is ready, ours, and answers; undefined otherwise. */
async function readyAddress(files: ClusterFiles, password: string): Promise<string | undefined> {
  if (postmasterState(files)?.state !== 'ready' || !fs.existsSync(files.address)) return undefined;
  const address = fs.readFileSync(files.address, 'utf8');
  const client = new pg.Client({
    connectionString: urlOf(address, SUPERUSER, password, 'postgres'),
    connectionTimeoutMillis: 5000,
  });
  client.on('error', () => undefined); // the query's own failure is looked at below
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    return rows[0]?.data_directory === files.cluster && postmasterState(files)?.state === 'ready'
      ? address
      : undefined;
  } catch {
    return undefined; // refused, starting, stopping or somebody else's: the caller asks again until its deadline
  } finally {
    await client.end().catch(() => undefined);
  }
}

const lastLines = (file: string): string =>
  fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(-12).join('\n') : '';

/** Attaches to the data directory's server, starting it where none runs. @throws DomainError `component_unavailable` */
export async function startEmbedded({
  dataDir,
  log,
  settings = {},
  binaries,
  timeoutMs = 60_000,
}: EmbeddedOptions): Promise<EmbeddedServer> {
  const files = clusterFiles(dataDir);
  const password = passwordOf(SUPERUSER, files.root);
  const hold = holdOpen(files);
  let released = false;

  const acquire = async (): Promise<{ address: string; started: boolean }> => {
    const deadline = Date.now() + timeoutMs;
    const attached = await readyAddress(files, password);
    if (attached !== undefined) return { address: attached, started: false };
    const bin = locateBinaries({ configured: binaries, clusterMajor: clusterMajorOf(files.cluster) });
    const as = chooseRunAs(bin, files.root, files.cluster);
    initCluster(bin, files, as);
    while (Date.now() < deadline) {
      const child = await startPostmaster(bin, files, as, settings);
      let running = true;
      let serving = false;
      const ended = (): void => {
        running = false;
        if (serving && !released) void revive();
      };
      child.once('exit', ended).once('error', ended);
      while (running && Date.now() < deadline) {
        const address = await readyAddress(files, password);
        if (address !== undefined) {
          serving = true;
          return { address, started: running };
        }
        await sleep(40);
      }
      // another process was faster, or a killed server's pid is not reaped yet: attach, or try again
      const address = await readyAddress(files, password);
      if (address !== undefined) return { address, started: false };
      await sleep(300);
    }
    throw new DomainError(
      'component_unavailable',
      `the embedded database did not start; the end of ${files.log}:\n${lastLines(files.log)}`,
    );
  };

  /** The server we started has died under us: start it again, at the same address, and let the pools reconnect. */
  const revive = async (): Promise<void> => {
    log.error({ log: files.log }, 'the embedded database ended unexpectedly; starting it again');
    try {
      const { address } = await acquire();
      if (address !== server.address)
        log.error(
          { address, before: server.address },
          'the embedded database is back at another address: this process has to be restarted',
        );
    } catch (error) {
      log.error({ err: error }, 'the embedded database could not be started again');
    }
  };

  const server = await acquire().catch((error: unknown) => {
    released = true;
    fs.closeSync(hold);
    throw error;
  });
  return {
    started: server.started,
    root: files.root,
    urlFor: (user, secret, database) => urlOf(server.address, user, secret, database),
    superuserUrl: (database) => urlOf(server.address, SUPERUSER, password, database),
    async release() {
      if (released) return;
      released = true;
      fs.closeSync(hold);
      const others = Date.now() + 300; // where nobody else holds it, the watchdog acts within milliseconds
      while (Date.now() < others && postmasterState(files)?.state === 'ready') await sleep(10);
      const deadline = Date.now() + 15_000;
      while (Date.now() < deadline && postmasterState(files)?.state === 'stopping') await sleep(20);
    },
  };
}
