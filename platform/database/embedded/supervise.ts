// Runs one embedded PostgreSQL per data directory. The first process starts it, others attach, and it stops
// with the last of them.
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
  /** Settings of postgresql.conf that override our defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** `database.binaries`: the directory of the PostgreSQL to run. */
  readonly binaries?: string | undefined;
  /** Timeout of a start in milliseconds; default 60 s. */
  readonly timeoutMs?: number;
}

export interface EmbeddedServer {
  /** Whether this process started the server. */
  readonly started: boolean;
  /** The directory of PostgreSQL and its secrets. */
  readonly root: string;
  urlFor(user: string, password: string, database: string): string;
  /** The URL of the bootstrap superuser. */
  superuserUrl(database: string): string;
  /** Whether it was started again at another address, to which connections of this process do not lead. */
  readonly isMoved: () => boolean;
  /** Detaches from the server. If no other process uses it, resolves when it has stopped. */
  release(): Promise<void>;
}

const urlOf = (address: string, user: string, password: string, database: string): string =>
  `postgresql://${user}:${password}@${address}/${database}`;

/** The URL of the bootstrap superuser of a server that this process holds, wherever it was started last. */
export function embeddedSuperuserUrl(dataDir: string, database = 'cairn'): string {
  const files = clusterFiles(dataDir);
  return urlOf(
    fs.readFileSync(files.address, 'utf8'),
    SUPERUSER,
    passwordOf(SUPERUSER, files.root),
    database,
  );
}

/**
 * Returns the address of a server that is ready, belongs to this cluster, and responds; undefined otherwise.
 */
async function readyAddress(files: ClusterFiles, password: string): Promise<string | undefined> {
  if (postmasterState(files)?.state !== 'ready' || !fs.existsSync(files.address)) return undefined;
  const address = fs.readFileSync(files.address, 'utf8');
  const client = new pg.Client({
    connectionString: urlOf(address, SUPERUSER, password, 'postgres'),
    connectionTimeoutMillis: 5000,
  });
  client.on('error', () => undefined); // a failure of the query is handled below
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    return rows[0]?.data_directory === files.cluster && postmasterState(files)?.state === 'ready'
      ? address
      : undefined;
  } catch {
    // Connection refused, server starting or stopping, or another cluster's server: the caller retries until
    // its deadline.
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const LOOK_MS = 1000;

/**
 * Whether the server listens elsewhere than where `files` say now; looked at once a second at most. PostgreSQL's own file is
 * read, which also tells who attached, and not the address, which a start that comes to nothing writes as well.
 */
function watchPlace(files: ClusterFiles): () => boolean {
  let first: string | undefined;
  let isElsewhere = false;
  let lookedAt = -Infinity;
  const isMoved = (): boolean => {
    if (performance.now() - lookedAt < LOOK_MS) return isElsewhere;
    lookedAt = performance.now();
    try {
      const found = postmasterState(files);
      if (found?.state === 'ready') isElsewhere = found.place !== (first ??= found.place);
    } catch {
      // what cannot be read now, as without a free descriptor, is as it was
    }
    return isElsewhere;
  };
  isMoved();
  return isMoved;
}

const lastLines = (file: string): string =>
  fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(-12).join('\n') : '';

/** If no other process uses the server, the watchdog begins to stop it within milliseconds. */
async function untilStopped(files: ClusterFiles): Promise<void> {
  const others = Date.now() + 300;
  while (Date.now() < others && postmasterState(files)?.state === 'ready') await sleep(10);
  const deadline = Date.now() + 15_000;
  while (Date.now() < deadline && postmasterState(files)?.state === 'stopping') await sleep(20);
}

/**
 * Attaches to the server of the data directory. Starts it where none is running.
 * @throws DomainError `component_unavailable`
 */
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
      // Another process started it first, or the pid of a killed server still exists: attach or retry.
      const address = await readyAddress(files, password);
      if (address !== undefined) return { address, started: false };
      await sleep(300);
    }
    throw new DomainError(
      'component_unavailable',
      `the embedded database did not start; the end of ${files.log}:\n${lastLines(files.log)}`,
    );
  };

  /**
   * Restarts a server that ended unexpectedly, at the same address, so that the pools reconnect. It goes on trying:
   * what ended the server, such as a full disk, may take time to mend.
   */
  const revive = async (): Promise<void> => {
    log.error({ log: files.log }, 'the embedded database ended unexpectedly; restarting it');
    while (!released) {
      try {
        const { address } = await acquire();
        if (address === server.address) return;
        const places = { address, before: server.address };
        return log.error(places, 'the embedded database restarted at another address: restart this process');
      } catch (error) {
        log.error({ err: error }, 'the embedded database could not be restarted; trying again');
        await sleep(1000);
      }
    }
  };

  const server = await acquire().catch((error: unknown) => {
    released = true;
    fs.closeSync(hold);
    throw error;
  });
  const isMoved = watchPlace(files);
  return {
    started: server.started,
    root: files.root,
    urlFor: (user, secret, database) => urlOf(server.address, user, secret, database),
    superuserUrl: (database) => urlOf(server.address, SUPERUSER, password, database),
    isMoved,
    async release() {
      if (released) return;
      released = true;
      fs.closeSync(hold);
      await untilStopped(files);
    },
  };
}
