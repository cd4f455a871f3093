// The database as everything else sees it: a pool as the application role, Prisma over the same pool, notifications.
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Logger } from 'pino';
import { PrismaClient } from '../../prisma/generated/client.ts';
import { createListener, type Listener } from './listener.ts';
import { OWNER } from './roles.ts';
import { STEADY_SESSION, withSessionOptions } from './session-options.ts';

export interface Database {
  /** As the application role. Every connection has the settings of {@link STEADY_SESSION} and gives up a transaction that idles for a minute and a statement that runs for {@link STATEMENT_SECONDS}. */
  readonly pool: pg.Pool;
  /** Connections for transactions in which a statement is sent before the one before it is answered; made at first use, few. */
  readonly pipelined: pg.Pool;
  /** Made at first use, over the same pool. */
  readonly prisma: PrismaClient;
  /**
   * Calls `onMessage` with the payload of every notification on `channel`; resolves when listening has begun. Connections lost are
   * made again with back-off; `onReconnect` is called after each gap. The answered function stops it.
   */
  readonly listen: Listener['listen'];
  /**
   * Runs `work` on a session of its own as the owner, with an hour for each statement: for what cannot be done in a transaction, such as an
   * index that is made while others write. Absent where this process's login may not become the owner.
   */
  readonly asOwner?: <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>;
  readonly embedded: boolean;
  /** The application role's URL. */
  readonly url: string;
  /** Ends the pool and, where this process is the last user of an embedded server, that server. Idempotent. */
  readonly close: () => Promise<void>;
}

export interface ConnectOptions {
  readonly url: string;
  readonly applicationName: string;
  /** Most connections at once, the listener not counted; 10 unless given. */
  readonly poolSize?: number;
  readonly log: Logger;
  readonly embedded?: boolean;
  /** A login that may become the owner. */
  readonly ownerUrl?: string;
  /** Run at the end of `close`. */
  readonly release?: () => Promise<void>;
}

const CLOSE_MS = 5000;
/** Those who use one wait for one lock: more would wait elsewhere. */
const PIPELINED = 4;
/** A statement that takes longer is given up by the database, so that no question can keep it busy; what writes under the log's lock waits as long as it must. */
export const STATEMENT_SECONDS = 30;
/**
 * As the embedded database has it: what is planned once, while there is little in a table, has to be an index's also when there is much.
 * A server's own costs, made for disks, would read the whole table until somebody analyses it.
 */
const PLANNING = '-c random_page_cost=1.1';
const SESSION = `${PLANNING} ${STEADY_SESSION} -c idle_in_transaction_session_timeout=60000 -c statement_timeout=${STATEMENT_SECONDS}s`;

/** What is cut off is given up by the server within a second. */
const OWNER_SESSION = `-c role=${OWNER} ${STEADY_SESSION} -c statement_timeout=1h -c client_connection_check_interval=1s`;

/** Connects to a database that has been booted; `url` is the application role's. Connections are made as they are needed. */
export function connectDatabase({
  url,
  applicationName,
  poolSize = 10,
  log,
  embedded = false,
  ownerUrl,
  release,
}: ConnectOptions): Database {
  const connectionString = withSessionOptions(url, SESSION);
  const open = new Set<Promise<unknown>>(); // a pool says that it has ended before its connections have
  const poolWith = (options: pg.PoolConfig): pg.Pool => {
    const made = new pg.Pool({
      connectionString,
      application_name: applicationName,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      ...options,
    });
    made.on('error', (error) => {
      log.warn({ err: error }, 'an idle database connection failed');
    });
    // a connection in use has no listener of the pool's: without this one, losing it between two queries would end the process
    made.on('connect', (client) => {
      client.on('error', (error) => {
        log.warn({ err: error }, 'a database connection failed');
      });
      const ended = new Promise<void>((resolve) => {
        client.once('end', () => {
          open.delete(ended);
          resolve();
        });
      });
      open.add(ended);
    });
    return made;
  };
  const pool = poolWith({ max: poolSize, connectionTimeoutMillis: 15_000 });
  let pipelined: pg.Pool | undefined;
  const listener = createListener(connectionString, applicationName, log);
  let prisma: PrismaClient | undefined;
  let closing: Promise<void> | undefined;
  const ofOwner = new Set<pg.Client>();

  const end = async (): Promise<void> => {
    await Promise.all([...ofOwner].map((client) => client.end().catch(() => undefined))); // whatever they are at: it fails in whoever asked
    await listener.close();
    await prisma?.$disconnect();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        log.warn('database connections were still in use at the end');
        resolve();
      }, CLOSE_MS);
    });
    await Promise.race([Promise.all([pool.end(), pipelined?.end()]).then(() => Promise.all(open)), late]);
    clearTimeout(timer);
    await release?.();
  };

  return {
    pool,
    get pipelined() {
      return (pipelined ??= poolWith({ max: PIPELINED, connectionTimeoutMillis: 60_000, pipeline: true }));
    },
    get prisma() {
      return (prisma ??= new PrismaClient({ adapter: new PrismaPg(pool) }));
    },
    listen: listener.listen,
    ...(ownerUrl === undefined
      ? {}
      : {
          async asOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
            const client = new pg.Client({
              connectionString: withSessionOptions(ownerUrl, OWNER_SESSION),
              application_name: `${applicationName} (owner)`,
              keepAlive: true,
              connectionTimeoutMillis: 15_000,
            });
            client.on('error', (error) => {
              log.warn({ err: error }, 'a database connection of the owner failed');
            });
            ofOwner.add(client);
            try {
              await client.connect();
              return await work(client);
            } finally {
              ofOwner.delete(client);
              await client.end();
            }
          },
        }),
    embedded,
    url,
    close: () => (closing ??= end()),
  };
}
