// Several processes behind one port (`server.workers`): the primary holds the store and the port, and serves
// nothing itself.
import type { Logger } from 'pino';
import { assertReloadable } from '../../../platform/config/assert-reloadable.ts';
import type { Config } from '../../../platform/config/load-config.ts';
import type { Database } from '../../../platform/database/connect.ts';
import { stuckReason, startFault } from '../../../platform/database/liveness.ts';
import { noteReload } from '../../../platform/metrics/reload-metrics.ts';
import { Releasers } from '../../../platform/releasers.ts';
import type { AuditRecord } from '../../edge/audit/audit-record.ts';
import { type AuditSettings, sinkFor } from '../../edge/audit/open-audit-log.ts';
import { openStore } from '../open-store.ts';
import { endRemovedClients, recordStart } from '../record-start.ts';
import { forkWorker, prepareWorkers } from './fork-worker.ts';
import { holdPort } from './hold-port.ts';
import { createMergedMetrics } from './merged-metrics.ts';
import { isNewCertificateAlone, type Settings, settingsToServe } from './settings.ts';
import { createWorkerPool } from './worker-pool.ts';

/** How often the primary looks whether its own connection to the database goes on. */
const LOOK_MS = 5000;
/** Milliseconds that a worker has to take a new certificate. */
const RENEW_MS = 10_000;

export interface RunningWorkers {
  readonly url: string;
  readonly adminKeyPath: string;
  /** Each worker announces that it stops; resolves when `server.lame_duck_seconds` are over. */
  retire(): Promise<void>;
  /** All workers finish their requests in flight (10 s at most), then the store closes. */
  close(): Promise<void>;
  /**
   * Replaces the workers, one by one and without dropping a request, by ones with this configuration.
   * @throws Error if that fails; the old ones stay
   */
  reload(config: Config): Promise<void>;
  readonly noteReload: typeof noteReload;
}

const withPort = (config: Config, port: number): Config =>
  config.server.port === 0 ? { ...config, server: { ...config.server, port } } : config;

/** Writes for all workers; the file is opened at the first record. */
function auditWriter(settings: AuditSettings): {
  write(records: unknown): Promise<void>;
  close(): Promise<void>;
} {
  const sink = sinkFor(settings, {
    query: () => Promise.reject(new Error('workers write to the store themselves')),
  });
  let last: Promise<unknown> = Promise.resolve();
  return {
    write(records) {
      // A worker's audit log sends them.
      const written = last.then(() => sink.write(records as readonly AuditRecord[]));
      last = written.catch(() => undefined); // the worker receives the error, and counts them as lost
      return written;
    },
    async close() {
      await last;
      await sink.close();
    },
  };
}

/** It serves no probe: like a worker it ends itself, and whoever runs it starts another. */
function endOnceStuck({ liveness }: Database, releasers: Releasers, log: Logger): void {
  const looking = setInterval(() => {
    const { stuck } = liveness;
    if (stuck === undefined) return;
    clearInterval(looking);
    log.error({ stuck }, `the primary process cannot go on, and ends: ${stuckReason(stuck)}`);
    void releasers.run().finally(() => process.exit(1));
  }, LOOK_MS).unref();
  releasers.add('look', async () => {
    clearInterval(looking);
  });
}

export async function startWorkers({
  config: first,
  log,
  signal,
  initialise,
}: {
  readonly config: Config;
  readonly log: Logger;
  readonly signal?: AbortSignal | undefined;
  readonly initialise?: boolean | undefined;
}): Promise<RunningWorkers> {
  const releasers = new Releasers(log);
  let opened: Database | undefined;
  try {
    const held = first.server.port === 0 ? await holdPort(first.server.host) : undefined;
    if (held !== undefined) releasers.add('port', held.release);
    const port = held?.port ?? first.server.port;
    const settings = await settingsToServe(withPort(first, port), log);
    const database = await openStore(first, log, { claim: true, signal, initialise });
    opened = database;
    releasers.add('database', () => database.close());
    const { file } = await recordStart(database.pool, first, log, 'start');
    const audit = auditWriter(first.observability.auditLog);
    releasers.add('audit log', () => audit.close());

    const metrics = createMergedMetrics();
    await prepareWorkers();
    const pool = createWorkerPool<Settings>({
      log,
      async fork(wanted) {
        const worker = await forkWorker(wanted, log, {
          audit: (records) => audit.write(records),
          metrics: () => metrics.text(),
        });
        metrics.add(worker.worker.id, worker.calls);
        return worker;
      },
      onEnded: ({ worker }) => metrics.remove(worker.id),
    });
    releasers.add('workers', () => pool.close());
    await held?.release();
    const url = await pool.start(settings, first.server.workers);

    endOnceStuck(database, releasers, log);

    let reloading: Promise<void> = Promise.resolve();
    /** Of all workers; undefined after a reload that failed half way. */
    let inUse: Settings | undefined = settings;
    const reload = async (config: Config): Promise<void> => {
      assertReloadable(first, config, 'workers');
      const next = await settingsToServe(withPort(config, port), log);
      if (inUse !== undefined && isNewCertificateAlone(inUse, next)) {
        await pool.renew(next, ({ calls }) => calls.call('renew', next.tlsPair, RENEW_MS));
        inUse = next;
        return;
      }
      await recordStart(database.pool, config, log, 'reload');
      inUse = undefined;
      await pool.reload(next, config.server.workers);
      inUse = next;
      await endRemovedClients(database.pool, config, log);
      // the last of those that were replaced may give tokens until it is gone; a later reload does it after its own
      void pool
        .retired()
        .then(() => (inUse === next ? endRemovedClients(database.pool, config, log) : undefined));
      log.info({ count: config.server.workers }, 'all workers use the new configuration');
    };
    return {
      url,
      adminKeyPath: file,
      retire: () => pool.retire(),
      close: () => releasers.run(),
      noteReload,
      reload(config) {
        const done = reloading.then(() => reload(config));
        reloading = done.catch(() => undefined); // the caller receives the error
        return done;
      },
    };
  } catch (met) {
    const fault = startFault(opened, met);
    await releasers.run();
    throw fault;
  }
}
