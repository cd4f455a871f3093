// Starts the platform: the edge and the router, and every component without a URL of its own.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { httpAddress } from '../platform/address-of.ts';
import { readsEscapedNamesWrongly } from '../platform/escaped-names.ts';
import { assertReloadable } from '../platform/config/assert-reloadable.ts';
import type { Config } from '../platform/config/load-config.ts';
import { networkMatcher } from '../platform/config/networks.ts';
import type { Database } from '../platform/database/connect.ts';
import { startFault } from '../platform/database/liveness.ts';
import { drainable, LINGER_MS } from '../platform/drain.ts';
import { givingToOwner } from '../platform/given-to-owner.ts';
import { Intake } from '../platform/intake/intake.ts';
import type { IntakeOptions } from '../platform/intake/open-connections.ts';
import { noteReload } from '../platform/metrics/reload-metrics.ts';
import { Releasers } from '../platform/releasers.ts';
import { Served } from '../platform/served.ts';
import type { TlsPair } from '../platform/tls/read-tls.ts';
import { tlsFront } from '../platform/tls/tls-front.ts';
import { adminKeyFile } from './api-keys/ensure-admin-key.ts';
import type { Metrics } from './edge/metrics/metrics.ts';
import { createEdgeServer } from './edge/server.ts';
import { assemble, type AssembleOptions, type Assembly } from './main/assembly.ts';
import { openStore } from './main/open-store.ts';
import { endRemovedClients, recordStart } from './main/record-start.ts';
import { isNewCertificateAlone, settingsToServe } from './main/workers/settings.ts';
import type { WorkerBridge } from './main/workers/worker-bridge.ts';

export interface StartOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Cancels waiting for an unavailable database. */
  readonly signal?: AbortSignal | undefined;
  /** For one of several workers: its primary has claimed the data directory. */
  readonly bridge?: WorkerBridge | undefined;
  /** For one of several workers: what its primary has read and checked, whatever the files have by now. */
  readonly tlsPair?: TlsPair | undefined;
  /** An instance is begun where there is none, in production too. */
  readonly initialise?: boolean | undefined;
}

export interface RunningPlatform {
  readonly url: string;
  readonly adminKeyPath?: string;
  /** Undefined if they are off. */
  readonly metrics: Metrics | undefined;
  /** What of this process does not go on, and only another process can mend. */
  readonly stuck: () => string | undefined;
  /**
   * Announces that it stops, to those who balance load and to clients that keep connections: `/readyz` is 503
   * and each answer ends its connection. Resolves when `server.lame_duck_seconds` are over.
   */
  retire(): Promise<void>;
  /**
   * Stops accepting requests, finishes those in flight (10 s at most), then closes everything, the database
   * last. `lingerMs`: how long open connections may still be used if another process listens on the same
   * port.
   */
  close(lingerMs?: number): Promise<void>;
  /**
   * Reloads with another configuration, without dropping a request.
   * @throws Error if that fails; then the old one stays
   */
  reload(config: Config): Promise<void>;
  readonly noteReload: typeof noteReload;
  /** New connections have this certificate, which the primary has checked. */
  renew(pair: TlsPair): void;
}

/** Backlog of connections: one that exceeds it is delayed for seconds, or a minute. */
const BACKLOG = 4096;

/**
 * Everything in this process except components with a URL of their own
 * (docs/reference/gateway.md#split-mode).
 */
export async function startPlatform({ config, log, ...more }: StartOptions): Promise<RunningPlatform> {
  const releasers = new Releasers(log);
  let opened: Database | undefined;
  if (readsEscapedNamesWrongly)
    log.warn(
      `Node ${process.version} reads some names in JSON wrongly: use Node 22 (docs/operations.md, «Names in JSON on Node 24»)`,
    );
  try {
    return await start(config, log, releasers, {
      ...more,
      onOpen: (database) => {
        opened = database;
      },
    });
  } catch (met) {
    const fault = startFault(opened, met);
    await releasers.run();
    throw fault;
  }
}

/** The router alone is the platform whose components all have URLs. */
export const startRouter = startPlatform;

/** Prepares the store and the first administrator's key, without serving. */
export async function initPlatform({
  config,
  log,
  signal,
}: StartOptions): Promise<{ adminKeyPath: string; created: boolean }> {
  const giveToOwner = givingToOwner(config);
  try {
    const database = await openStore(config, log, { claim: true, signal, initialise: true });
    try {
      const { file, created } = await recordStart(database.pool, config, log, 'init');
      giveToOwner(); // while the directory is claimed
      return { adminKeyPath: file, created };
    } finally {
      await database.close();
    }
  } catch (fault) {
    try {
      giveToOwner(); // the account may try again
    } catch (err) {
      log.warn({ err }, 'what was made could not be given to the owner of the folder');
    }
    throw fault;
  }
}

const intakeBy = ({ server: { limits }, trustedNetworks }: Config): IntakeOptions => ({
  limits,
  isTrusted: networkMatcher(trustedNetworks),
});

/** Everything with another configuration, over a database of its own. */
async function reassembled(
  config: Config,
  log: Logger,
  around: Pick<AssembleOptions, 'bridge' | 'intake' | 'baseUrl'>,
): Promise<Assembly> {
  const database = await openStore(config, log, { claim: false });
  try {
    if (around.bridge === undefined) await recordStart(database.pool, config, log, 'reload');
    const made = await assemble({ config, log, database, ...around });
    return {
      ...made,
      async close() {
        await made.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function start(
  config: Config,
  log: Logger,
  releasers: Releasers,
  {
    bridge,
    tlsPair,
    signal,
    initialise,
    onOpen,
  }: Omit<StartOptions, 'config' | 'log'> & { readonly onOpen: (database: Database) => void },
): Promise<RunningPlatform> {
  const { host, tls } = config.server;
  let inUse = await settingsToServe(config, log, tlsPair);
  const claimed = await openStore(config, log, { claim: bridge === undefined, signal, initialise });
  onOpen(claimed);
  releasers.add('database', () => claimed.close());
  // for one of several workers, the primary has done it
  if (bridge === undefined) await recordStart(claimed.pool, config, log, 'start');
  let url = httpAddress(host, config.server.port, tls && 'https');
  const intake = new Intake(intakeBy(config));
  const served = new Served(
    await assemble({ config, log, database: claimed, bridge, intake, baseUrl: () => url }),
  );
  releasers.add('platform', () => served.close());

  const server = createEdgeServer(intake, (req, res) => {
    served.current.answer(req, res);
  });
  const front = inUse.tlsPair && tlsFront(server, inUse.tlsPair, intake);
  const listening = front?.server ?? server;
  const drain = drainable(server, front);
  server.on('upgrade', (req, socket, head) => {
    served.current.upgrade(req, socket, intake.upgraded(socket, head));
  });
  await once(listening.listen(config.server.port, host, BACKLOG), 'listening');
  let linger = 0;
  releasers.add('HTTP server', () => drain.end(linger));
  releasers.add('streams', () => served.current.closeStreams());

  const { port } = listening.address() as AddressInfo; // It listens on TCP, so it has one.
  url = httpAddress(host, port, tls && 'https');
  const renew = (pair: TlsPair): void => {
    front?.renew(pair);
    inUse = { ...inUse, tlsPair: pair };
  };
  return {
    url,
    adminKeyPath: adminKeyFile(config.database.dataDir),
    get metrics() {
      return served.current.metrics;
    },
    stuck: () => served.current.stuck(),
    async retire() {
      served.current.drain();
      drain.retire();
      const { lameDuckSeconds } = inUse.config.server;
      if (lameDuckSeconds > 0) linger = LINGER_MS;
      await sleep(lameDuckSeconds * 1000);
    },
    async close(lingerMs = 0) {
      linger = Math.max(linger, lingerMs);
      if (lingerMs === 0) served.current.drain();
      await releasers.run();
    },
    renew,
    noteReload,
    async reload(next) {
      await served.follow(async () => {
        assertReloadable(config, next, 'process');
        const wanted = await settingsToServe(next, log);
        const made = isNewCertificateAlone(inUse, wanted)
          ? undefined // streams and long requests go on
          : await reassembled(next, log, { bridge, intake, baseUrl: () => url });
        if (wanted.tlsPair) renew(wanted.tlsPair);
        inUse = wanted;
        intake.follow(intakeBy(next));
        return made;
      });
      if (bridge === undefined) await endRemovedClients(claimed.pool, next, log);
    },
  };
}
