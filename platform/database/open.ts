// Opens the platform's database, embedded or by URL, and prepares it before use.
import pg from 'pg';
import type { Logger } from 'pino';
import { keepPrivate } from '../private-files.ts';
import { readSealingKey } from '../sealed-text.ts';
import { awaitDatabase } from './await-database.ts';
import { bootDatabase, notInitialised } from './boot.ts';
import { connectDatabase, type Database, type ReplicaSettings } from './connect.ts';
import { clusterFiles, hasCluster, passwordOf } from './embedded/cluster.ts';
import { DiskReserve } from './embedded/disk-reserve.ts';
import { type EmbeddedServer, startEmbedded } from './embedded/supervise.ts';
import { systemErrorCode } from '../system-error-code.ts';
import { claimDataDirectory, type DirectoryClaim } from './lock.ts';
import { APP } from './roles.ts';
import { assertOwnSessions } from './session-check.ts';

export interface OpenOptions {
  /** URL of a PostgreSQL 15 or newer. Without it, an embedded server keeps its files in `dataDir`. */
  readonly url?: string;
  readonly dataDir: string;
  readonly applicationName: string;
  /** How long to wait for an unreachable server, in milliseconds; by default, not at all. */
  readonly waitMs?: number;
  /** Cancels the wait. */
  readonly signal?: AbortSignal | undefined;
  readonly poolSize?: number;
  /** `database.read_urls` and `read_max_lag_ms`. */
  readonly replicas?: ReplicaSettings;
  readonly log: Logger;
  /**
   * Whether this process claims the data directory as its only server: a second one is rejected before it
   * changes anything.
   */
  readonly claim?: boolean;
  /** `database.binaries`: the PostgreSQL programs of an embedded server. */
  readonly binaries?: string | undefined;
  /** `database.disk_reserve`: free bytes below which an embedded server is only read; by default 0. */
  readonly diskReserve?: number | undefined;
  /** postgresql.conf settings of an embedded server, which override the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether an instance may be begun where there is none; default: yes. */
  readonly mayInitialise?: boolean | undefined;
}

const DATABASE = 'cairn';

async function createDatabase(server: EmbeddedServer): Promise<void> {
  const client = new pg.Client(server.superuserUrl('postgres'));
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 1) return;
    await client.query(`CREATE DATABASE ${DATABASE}`).catch((error: unknown) => {
      const code = systemErrorCode(error);
      if (code !== '42P04' && code !== '23505') throw error; // another process created it first
    });
  } finally {
    await client.end();
  }
}

/** The server that has the database, before anything is prepared in it. */
export interface ReachedServer {
  /** URL of a login with the rights that the boot needs. */
  readonly bootUrl: string;
  /** URL of a login that is the application role, or may become it. */
  readonly appUrl: string;
  /** Set for the embedded database: the application role's login password. */
  readonly appPassword?: string;
  readonly embedded: boolean;
  /** Of an embedded one: whether it is at another address by now. */
  readonly isMoved?: () => boolean;
  release(): Promise<void>;
}

/**
 * Starts or finds the server, and creates the database of an embedded one.
 * @throws DomainError `component_unavailable` where there is no usable server, `conflict` where the directory is claimed
 */
export async function reachServer(options: OpenOptions): Promise<ReachedServer> {
  const { dataDir, log } = options;
  const isNew = options.url === undefined && !hasCluster(dataDir);
  if (isNew && options.mayInitialise === false) throw notInitialised(`the data directory ${dataDir}`);
  const server =
    options.url === undefined
      ? await startEmbedded({
          dataDir,
          log,
          binaries: options.binaries,
          ...(options.settings && { settings: options.settings }),
        })
      : undefined;
  let claim: DirectoryClaim | undefined;
  let reserve: DiskReserve | undefined;
  const release = async (): Promise<void> => {
    await claim?.release();
    await reserve?.close();
    await server?.release();
  };
  try {
    if (server) {
      await createDatabase(server);
      if ((options.diskReserve ?? 0) > 0)
        reserve = new DiskReserve({
          files: clusterFiles(dataDir),
          bytes: options.diskReserve ?? 0,
          url: () => server.superuserUrl('postgres'),
          log,
        });
    }
    if (options.url !== undefined) {
      await awaitDatabase({ url: options.url, waitMs: options.waitMs ?? 0, log, signal: options.signal });
      // before anything is locked: the lock would stay with the pooler's session after this process has ended
      await assertOwnSessions(options.url);
    }
    const bootUrl = options.url ?? server?.superuserUrl(DATABASE) ?? '';
    if (options.claim === true) claim = await claimDataDirectory(bootUrl, dataDir, log);
    const appPassword = server && passwordOf(APP, server.root);
    return {
      bootUrl,
      appUrl: server && appPassword !== undefined ? server.urlFor(APP, appPassword, DATABASE) : bootUrl,
      ...(appPassword !== undefined && { appPassword }),
      embedded: server !== undefined,
      ...(server && { isMoved: server.isMoved }),
      release,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/**
 * Starts or finds the server, then prepares roles, migrations, grants and the pool. Several processes may do
 * so concurrently.
 * @throws DomainError `component_unavailable` where there is no usable database, `conflict` where the
 * directory is claimed, the database is newer than this build, a migration was edited, or there is no instance and none
 * may be begun.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { dataDir, log, applicationName, poolSize } = options;
  const server = await reachServer(options);
  try {
    const mayOwn = await bootDatabase({
      url: server.bootUrl,
      log,
      mayInitialise: options.mayInitialise,
      ...(server.appPassword !== undefined && { appPassword: server.appPassword }),
    });
    keepPrivate(dataDir, log);
    const database = connectDatabase({
      url: server.appUrl,
      applicationName,
      log,
      embedded: server.embedded,
      isMoved: server.isMoved,
      replicas: options.replicas,
      release: () => server.release(),
      ...(mayOwn && { ownerUrl: server.bootUrl }),
      ...(poolSize !== undefined && { poolSize }),
    });
    await readSealingKey(database.pool).catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
    return database;
  } catch (error) {
    await server.release();
    throw error;
  }
}
