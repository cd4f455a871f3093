// Puts together what making productions takes: the store, the runner, the queue, and the engine that works it off.
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../../../platform/config/load-config.ts';
import type { Database } from '../../../platform/database/connect.ts';
import { addressCheck } from '../cwl-source/public-addresses.ts';
import type { AskPlatform } from '../platform-port.ts';
import { ProductionBell } from '../productions/production-bell.ts';
import { PRODUCTION_CHANNEL } from '../productions/production-queue.store.ts';
import type { RequestMeans } from '../productions/production-requests.service.ts';
import type { ResolutionMeans } from '../resolution/resolution.service.ts';
import { isOwnAddress } from '../runners/egress-proxy.ts';
import { createRunner } from '../runners/create-runner.ts';
import { openStore } from '../storage/open-store.ts';
import { s3Reader } from '../storage/s3-reader.ts';
import { Storage } from '../storage/storage.service.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { type FetchMeans, fetchSource } from './fetch-source.ts';
import { type MakingEngine, startMakingEngine } from './engine.ts';
import { Maker } from './make.ts';
import { MadeWriter } from './write-made.ts';

export interface ProductionsOptions {
  readonly pool: Pick<Pool, 'connect' | 'query'>;
  readonly listen: Database['listen'];
  readonly ask: AskPlatform;
  readonly planning: ResolutionMeans;
  readonly settings: Config['artifact'];
  readonly workDirectory: string;
  readonly log: Logger;
}

export interface Productions extends RequestMeans {
  /** Takes up what is queued. Without a usable runner everything else works, and the log says what to install. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

export function createProductions({
  pool,
  listen,
  ask,
  planning,
  settings,
  workDirectory,
  log,
}: ProductionsOptions): Productions {
  const transact: RequestMeans['transact'] = (work) => inTransaction(pool, work);
  const storage = new Storage({ db: pool, transact, ask, open: () => openStore(settings.store) });
  const bell = new ProductionBell();
  const { limits, allowSources } = settings;
  const mayConnect = addressCheck(settings.allowNetworks, settings.denyNetworks);
  const fetching: FetchMeans = {
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
  const maker = new Maker({
    db: pool,
    ask,
    planning,
    storage,
    runner,
    settings,
    writer: new MadeWriter({ db: pool, transact, ask }),
    workDirectory,
    sources: { db: pool, storage, ...fetching },
  });
  let engine: MakingEngine | undefined;
  let unlisten: (() => Promise<void>) | undefined;
  return {
    db: pool,
    ask,
    transact,
    storage,
    runner,
    bell,
    async begin() {
      unlisten = await listen(
        PRODUCTION_CHANNEL,
        (id) => {
          bell.ring(id);
        },
        () => {
          bell.ring('');
        },
      );
      engine = await startMakingEngine({
        db: pool,
        transact,
        maker,
        bell,
        log,
        workDirectory,
        concurrent: limits.concurrent,
      });
      void runner.trouble().then((trouble) => {
        if (trouble !== null) log.warn({ reason: trouble }, 'nothing can be built');
      });
      void runner.warning?.().then((warning) => {
        if (warning !== null) log.warn(warning);
      });
    },
    async close() {
      await unlisten?.();
      await engine?.close();
    },
  };
}
