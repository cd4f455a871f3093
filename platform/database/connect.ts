// Provides database access to the rest of the program: a pool that connects as the application role, Prisma
// over the same pool, and notifications.
import pg from 'pg';
import type { Logger } from 'pino';
import { parse as parseArray } from 'postgres-array';
import type { PrismaClient } from '../../prisma/generated/client.ts';
import { DiskSpace } from './disk-space.ts';
import { createListener, type Listener } from './listener.ts';
import { Liveness, type LivenessTimes, poolVital } from './liveness.ts';
import { countPool, type PoolName } from './pool-metrics.ts';
import { openPool } from './open-pool.ts';
import { type AsOwner, ownerSessions } from './owner-sessions.ts';
import { createPrismaClient } from './prisma.ts';
import { probeReplicas, type ReplicaStanding } from './replica-probe.ts';
import { type Reads, Replicas } from './replicas.ts';
import type { CommitMark } from './standing.ts';
import { APP } from './roles.ts';
import { ServerChanges } from './server-changes.ts';
import {
  EMBEDDED_SESSION,
  type SessionSettings,
  STEADY_SESSION,
  withSessionOptions,
} from './session-options.ts';
import { type SilenceTimes, type SilentConnections, watchConnections } from './silent-connections.ts';

export interface Database {
  /**
   * Connects as the application role. Every connection has the settings of {@link STEADY_SESSION}. The server
   * ends a transaction that is idle for a minute and a statement that runs longer than
   * {@link STATEMENT_SECONDS}; a connection on which the server does not answer is ended here.
   */
  readonly pool: pg.Pool;
  /**
   * Where reads are run that see all that was acknowledged before they began: on a replica, or in the pool. Writes, and
   * reads that decide about them, use the pool.
   */
  readonly reads: (mark: CommitMark) => Reads;
  /** Where each replica stands now. @throws where the primary does not answer */
  readonly replicas: () => Promise<readonly ReplicaStanding[]>;
  /**
   * A small pool, created at first use, for transactions that send a statement before the previous one has
   * returned.
   */
  readonly pipelined: pg.Pool;
  /** Created at first use, over the same pool. */
  readonly prisma: PrismaClient;
  /**
   * Calls `onMessage` with the payload of every notification on `channel`; resolves when the listener is
   * active. A lost connection is re-established with back-off, and `onReconnect` is called after each gap.
   * The returned function removes the listener.
   */
  readonly listen: Listener['listen'];
  readonly tellPlace: Listener['tellPlace'];
  /**
   * Calls back when another server answers than before, as after a failover, before any of its answers is used.
   * Returns a function that removes the listener.
   */
  readonly onServerChange: ServerChanges['onChange'];
  /**
   * Runs `work` in a separate session as the owner, with a statement timeout of one hour. It is for
   * statements that cannot run in a transaction, such as creating an index concurrently. Absent where this
   * process's login may not become the owner.
   */
  readonly asOwner?: AsOwner;
  /** Whether the server has refused something for lack of room. */
  readonly space: Pick<DiskSpace, 'isFull'>;
  readonly embedded: boolean;
  /** What has to go on in this process, as far as it needs the database. */
  readonly liveness: Liveness;
  /** URL of a login that is the application role, or may become it. */
  readonly url: string;
  /**
   * Closes the pool and, where this process is the last user of an embedded server, stops that server.
   * Idempotent.
   */
  readonly close: () => Promise<void>;
}

export interface ReplicaSettings {
  /** Hot standbys that take reads. */
  readonly urls: readonly string[];
  /** Milliseconds by which their answers may be older than the primary's; 0: not at all. */
  readonly maxLagMs: number;
}

export interface ConnectOptions {
  readonly url: string;
  readonly applicationName: string;
  /** Maximum number of connections, excluding the listener; default 10. */
  readonly poolSize?: number;
  readonly log: Logger;
  readonly embedded?: boolean;
  /** URL of a login that may become the owner. */
  readonly ownerUrl?: string;
  /** Called at the end of `close`. */
  readonly release?: () => Promise<void>;
  readonly replicas?: ReplicaSettings | undefined;
  /** When a connection that does not answer is ended. */
  readonly silence?: SilenceTimes;
  /** When what does not go on counts as stuck. */
  readonly livenessTimes?: LivenessTimes;
  /** Whether an embedded server is at another address than `url`. */
  readonly isMoved?: (() => boolean) | undefined;
}

/** `text[]` in pg_type. Lists may have thousands of members, for which the parser of `pg` takes six times as long. */
const TEXT_ARRAY = 1009 as Parameters<typeof pg.types.setTypeParser>[0]; // its types list no arrays
pg.types.setTypeParser(TEXT_ARRAY, parseArray);

const CLOSE_MS = 5000;
/** A replica that does not take a connection in this time is left out. */
const REPLICA_CONNECT_MS = 2000;
/** The users of this pool all wait for the same lock, so more connections would not help. */
const PIPELINED = { max: 4, connectionTimeoutMillis: 60_000, pipeline: true };
/**
 * Statement timeout, so that no query can occupy the database for long. Statements that write under the log's
 * lock are exempt and wait as long as necessary.
 */
export const STATEMENT_SECONDS = 30;
/**
 * The same setting as the embedded database has: a plan that is cached while a table is small must still use
 * the index when the table is large. A server's default costs, tuned for disks, would choose a sequential
 * scan until the table is analysed.
 */
const PLANNING = { random_page_cost: 1.1 };
const sessionOf = (steady: SessionSettings): SessionSettings => ({
  role: APP,
  ...PLANNING,
  ...steady,
  idle_in_transaction_session_timeout: 60_000,
  statement_timeout: `${STATEMENT_SECONDS}s`,
});

/** Pools end when their connections are no longer used, for which they get some seconds. */
async function endInTime(
  pools: readonly pg.Pool[],
  open: ReadonlySet<Promise<unknown>>,
  log: Logger,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      log.warn('database connections were still in use at shutdown');
      resolve();
    }, CLOSE_MS);
  });
  const ended = Promise.all(pools.map((one) => one.end()));
  await Promise.race([ended.then(() => Promise.all(open)), late]);
  clearTimeout(timer);
}

/** A pool of connections to a standby; it is watched by itself, and may be another server than before. */
function openReplica(
  url: string,
  {
    applicationName,
    poolSize,
    log,
    silence,
  }: Required<Pick<ConnectOptions, 'applicationName' | 'poolSize' | 'log'>> & {
    readonly silence: SilenceTimes | undefined;
  },
  watch: Omit<Parameters<typeof openPool>[1], 'silent' | 'servers'>,
): { readonly name: string; readonly pool: pg.Pool; readonly unwatch: () => void } {
  const connectionString = withSessionOptions(url, watch.settings);
  const silent = watchConnections(connectionString, applicationName, log, silence);
  const pool = openPool(
    {
      connectionString,
      application_name: applicationName,
      max: poolSize,
      connectionTimeoutMillis: REPLICA_CONNECT_MS,
    },
    { ...watch, silent, servers: new ServerChanges() },
  );
  return {
    name: new URL(url).host,
    pool,
    unwatch: () => {
      silent.close();
    },
  };
}

function openLiveness(
  pool: pg.Pool,
  silent: SilentConnections,
  { url, applicationName, log, isMoved, livenessTimes }: ConnectOptions,
): Liveness {
  const pids = (): readonly number[] => silent.pids();
  const liveness = new Liveness({ url, applicationName, pids, isMoved, log, times: livenessTimes });
  liveness.watch(poolVital(pool, 'database_connections'));
  return liveness;
}

/**
 * Opens access to a database that has been booted; `url` is the application role's. Connections are created
 * on demand.
 */
export function connectDatabase({
  url,
  applicationName,
  poolSize = 10,
  log,
  embedded = false,
  ownerUrl,
  release,
  replicas: replicaSettings,
  ...watched
}: ConnectOptions): Database {
  const steady = embedded ? EMBEDDED_SESSION : STEADY_SESSION;
  const settings = sessionOf(steady);
  const connectionString = withSessionOptions(url, settings);
  const open = new Set<Promise<unknown>>(); // `pool.end()` resolves before its connections have closed
  const silent = watchConnections(connectionString, applicationName, log, watched.silence);
  const [servers, space] = [new ServerChanges(), new DiskSpace()];
  const uncount: (() => void)[] = [silent.close];
  const poolWith = (name: PoolName, options: pg.PoolConfig): pg.Pool => {
    const made = openPool(
      { connectionString, application_name: applicationName, ...options },
      { settings, open, silent, servers, space, log },
    );
    uncount.push(countPool(name, made));
    return made;
  };
  const pool = poolWith('main', { max: poolSize, connectionTimeoutMillis: 15_000 });
  const liveness = openLiveness(pool, silent, { url: connectionString, applicationName, log, ...watched });
  const replicas = replicaSettings?.urls.map((one) => {
    const made = openReplica(
      one,
      { applicationName, poolSize, log, silence: watched.silence },
      { settings, open, space, log },
    );
    uncount.push(countPool('replicas', made.pool), made.unwatch);
    return made;
  });
  const reading = replicas?.length
    ? new Replicas({ replicas, primary: pool, maxLagMs: replicaSettings?.maxLagMs ?? 0, log })
    : undefined;
  let pipelined: pg.Pool | undefined;
  const listener = createListener(connectionString, applicationName, silent, log);
  let prisma: PrismaClient | undefined;
  let closing: Promise<void> | undefined;
  const owner = ownerUrl === undefined ? undefined : ownerSessions(ownerUrl, steady, applicationName, log);

  const end = async (): Promise<void> => {
    await owner?.end();
    await listener.close();
    await prisma?.$disconnect();
    const pools = [pool, ...(pipelined ? [pipelined] : []), ...(replicas ?? []).map((one) => one.pool)];
    await endInTime(pools, open, log);
    for (const one of uncount) one();
    reading?.close();
    liveness.close();
    await release?.();
  };

  return {
    pool,
    replicas: () => probeReplicas(replicas ?? [], pool),
    reads: (mark) => reading?.reads(mark) ?? ((read) => read(pool)),
    get pipelined() {
      return (pipelined ??= poolWith('log', PIPELINED));
    },
    get prisma() {
      return (prisma ??= createPrismaClient(pool));
    },
    listen: listener.listen,
    tellPlace: listener.tellPlace,
    onServerChange: servers.onChange,
    ...(owner === undefined ? {} : { asOwner: owner.run }),
    space,
    embedded,
    liveness,
    url,
    close: () => (closing ??= end()),
  };
}
