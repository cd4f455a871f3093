// Opens the router's store for a server, for the primary of several workers and for a worker.
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import type { Database } from '../../platform/database/connect.ts';
import { mayInitialise } from '../../platform/database/may-initialise.ts';
import { openDatabase } from '../../platform/database/open.ts';

/** Maximum connections of one process, and of all workers together: an embedded database has a hundred. */
const POOL = 20;
const ALL_POOLS = 80;
const SMALLEST_POOL = 4;

/** `claim`: this is the data directory's only server. A worker does not claim it: its primary has. `initialise`: an instance is begun where there is none, in production too. */
export const openStore = (
  {
    database: { url, readUrls, readMaxLagMs, dataDir, binaries, diskReserve, waitSeconds },
    server: { workers, mode },
  }: Config,
  log: Logger,
  {
    claim,
    signal,
    initialise,
  }: { claim: boolean; signal?: AbortSignal | undefined; initialise?: boolean | undefined },
): Promise<Database> =>
  openDatabase({
    ...(url === undefined ? {} : { url }),
    replicas: { urls: readUrls, maxLagMs: readMaxLagMs },
    dataDir,
    binaries,
    diskReserve,
    applicationName: 'cairn',
    waitMs: waitSeconds * 1000,
    signal,
    mayInitialise: mayInitialise(mode, initialise),
    poolSize: Math.max(SMALLEST_POOL, Math.min(POOL, Math.floor(ALL_POOLS / workers))),
    log,
    claim,
  });
