// Assembles what productions need: the store, the runner, the queue, and the engine that works it.
import type { Logger } from 'pino';
import type { StandingRights } from '../../../platform/acting.ts';
import type { Config } from '../../../platform/config/load-config.ts';
import type { Database } from '../../../platform/database/connect.ts';
import { Notifier } from '../../../platform/notifier.ts';
import { addressCheck } from '../cwl-source/public-addresses.ts';
import type { AskPlatform } from '../platform-port.ts';
import { PRODUCTION_CHANNEL } from '../productions/production-queue.store.ts';
import type { RequestDeps } from '../productions/production-requests.service.ts';
import type { ResolutionDeps } from '../planning/resolution.service.ts';
import { isOwnAddress } from '../runners/egress-proxy.ts';
import { createRunner } from '../runners/create-runner.ts';
import { ImageFollower } from '../staleness/follow-images.ts';
import type { Runner } from '../runners/runner.ts';
import { openObjectStore } from '../storage/open-store.ts';
import { s3Reader } from '../storage/s3-reader.ts';
import { Storage } from '../storage/storage.service.ts';
import { type Connections, inTransaction, type Transact } from '../../../platform/database/transaction.ts';
import { type FetchDeps, fetchSource } from './fetch-source.ts';
import { type ProductionEngine, startProductionEngine } from './engine.ts';
import { Executor } from './executor.ts';
import { ProducedWriter } from './write-produced.ts';

export interface ProductionsOptions {
  readonly pool: Connections;
  readonly listen: Database['listen'];
  /** Absent in tests of parts. */
  readonly liveness?: Database['liveness'] | undefined;
  readonly ask: AskPlatform;
  readonly standing: StandingRights;
  readonly planning: ResolutionDeps;
  readonly settings: Config['artifact'];
  readonly workDirectory: string;
  /** The server's public address; known once it listens. */
  readonly publicUrl: () => string;
  readonly log: Logger;
}

export interface Productions extends RequestDeps {
  readonly images: ImageFollower;
  /**
   * Starts working the queue. Without a usable runner everything else works, and the log says what to
   * install.
   */
  begin(): Promise<void>;
  close(): Promise<void>;
}

function tellOperators(runner: Runner, log: Logger): void {
  // starting an engine only to ask takes a third of what a start takes: the first request that needs it does
  void (runner.missing?.() ?? runner.trouble()).then((trouble) => {
    if (trouble !== null) log.warn({ reason: trouble }, 'no workflow can be run');
  });
  void runner.warning?.().then((warning) => {
    if (warning !== null) log.warn(warning);
  });
}

export function createProductions({
  pool,
  listen,
  liveness,
  ask,
  standing,
  planning,
  settings,
  workDirectory,
  publicUrl,
  log,
}: ProductionsOptions): Productions {
  const transact: Transact = (work) => inTransaction(pool, work);
  const storage = new Storage({
    db: pool,
    transact,
    ask,
    open: () => openObjectStore(settings.store),
    publicUrl,
  });
  const notifier = new Notifier({ listen, channel: PRODUCTION_CHANNEL, log });
  const { limits, allowSources } = settings;
  const mayConnect = addressCheck(settings.allowNetworks, settings.denyNetworks);
  const fetching: FetchDeps = {
    fetch: { mayConnect },
    readS3: s3Reader(settings.store),
    allowSources,
    limits: { bytes: limits.disk, entries: limits.files },
    timeoutMs: Math.min(limits.timeSeconds * 1000, 2 ** 31 - 1),
  };
  const runner = createRunner(
    settings,
    (location, file, stop) => fetchSource(fetching, location, file, stop),
    { mayConnect: (address) => mayConnect(address) && !isOwnAddress(address) },
  );
  const images = new ImageFollower({ db: pool, transact, runner, log });
  const executor = new Executor({
    db: pool,
    ask,
    planning,
    storage,
    runner,
    settings,
    images,
    writer: new ProducedWriter({ db: pool, transact, ask }),
    workDirectory,
    sources: { db: pool, storage, ...fetching },
  });
  let engine: ProductionEngine | undefined;
  return {
    db: pool,
    ask,
    transact,
    storage,
    runner,
    images,
    notifier,
    log,
    async begin() {
      engine = await startProductionEngine({
        db: pool,
        transact,
        executor,
        notifier,
        watch: liveness && ((vital) => liveness.watch(vital)),
        standing,
        log,
        workDirectory,
        concurrent: limits.concurrent,
      });
      images.begin();
      tellOperators(runner, log);
    },
    async close() {
      await Promise.all([images.close(), engine?.close()]);
    },
  };
}
