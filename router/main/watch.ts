// What tells how the platform does: health, metrics and the scans for contradictions, with what each of them asks.
import type { Logger } from 'pino';
import type { Component, PreparedOperation } from '../../platform/component.ts';
import type { Config } from '../../platform/config/load-config.ts';
import type { Database } from '../../platform/database/connect.ts';
import { archiveReport } from '../../platform/database/embedded/archive-state.ts';
import { archiveGauges, archiveReadings } from '../../platform/metrics/archive-gauges.ts';
import type { Releasers } from '../../platform/releasers.ts';
import { answers } from '../../platform/queryable.ts';
import { backupGauges, backupReadings } from '../backups/backup-gauges.ts';
import { type Backups, createBackups } from '../backups/backups.service.ts';
import type { Bound } from '../../rest-compat/binding.ts';
import type { Circuits } from '../circuit/circuit.ts';
import type { AuditLog } from '../edge/audit/audit-log.ts';
import { createMetrics, type Metrics } from '../edge/metrics/metrics.ts';
import { createHealth, type Health } from '../health/health.ts';
import { archiveProblems, replicaProblems } from '../health/problems.ts';
import { writePath, writeProblem } from '../../platform/database/write-path.store.ts';
import { MISMATCH } from '../sync/scan.ts';
import { createSync, type Sync } from '../sync/sync.service.ts';
import { createSyncStore } from '../sync/sync.store.ts';
import { degradedTriggers } from './degraded-triggers.ts';
import { probedComponents } from './probed-components.ts';
import { syncDeps } from './sync-deps.ts';

interface Watched {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
}

export const healthOf = (
  { config, database }: Watched,
  parts: readonly Component[],
  ask: (document: string) => PreparedOperation,
  audit: AuditLog | undefined,
  circuits: Circuits,
): Health => {
  const { archive, dataDir } = config.database;
  return createHealth({
    components: probedComponents(
      config,
      parts,
      {
        workflow: degradedTriggers(ask),
        metadata: () => writeProblem(database),
      },
      circuits,
    ),
    storeAnswers: () => answers(database.pool),
    writePath: () => writePath(database),
    problems: [
      async () => replicaProblems(await database.replicas()),
      ...(archive === undefined
        ? []
        : [async () => archiveProblems(await archiveReport(dataDir, archive.everySeconds))]),
    ],
    cacheMs: config.observability.health.cacheSeconds * 1000,
    audit,
  });
};

/** Tells of the archive of the log and of backups: as metrics until that is released, and whoever asks. */
export function watchBackups(
  { database: { pool }, config: { database } }: Watched,
  releasers: Releasers,
): Backups {
  const { archive, dataDir } = database;
  const following = [backupGauges.follow(() => backupReadings(pool))];
  const report = archive && (() => archiveReport(dataDir, archive.everySeconds));
  if (report) following.push(archiveGauges.follow(async () => archiveReadings(await report())));
  for (const stop of following) releasers.add('gauges of backups', () => Promise.resolve(stop()));
  return createBackups(pool, report);
}

export const metricsOf = (
  { config }: Watched,
  health: Health,
  circuits: Circuits,
  activeTokens: () => Promise<number>,
): Metrics | undefined =>
  config.observability.metrics.enabled
    ? createMetrics({
        componentHealth: () => health.seen(),
        problems: () => health.seenProblems(),
        circuits: () => circuits.seen(),
        activeTokens,
        mismatchTypes: [MISMATCH],
      })
    : undefined;

export const syncOf = (
  { database, log }: Watched,
  metrics: Metrics | undefined,
  bind: (document: string) => Bound,
): Sync =>
  createSync({
    store: createSyncStore(database),
    log,
    deps: syncDeps(bind),
    onMismatch: (type) => metrics?.syncMismatch(type),
  });
