// Has what this process measures written down, as configured, and answers questions about the past.
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { Releasers } from '../../platform/releasers.ts';
import type { Metrics } from '../edge/metrics/metrics.ts';
import '../../platform/metrics/process-gauges.ts';
import { startSampler } from '../system-metrics/sampler.ts';
import { createSystemMetrics, type SystemMetrics } from '../system-metrics/system-metrics.service.ts';

interface MeasuredOptions {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
}

/** What this process measures is written down, unless that is off; the past can be asked for. */
export function keepMeasurements(
  { config, database, log }: MeasuredOptions,
  metrics: Metrics | undefined,
  releasers: Releasers,
): SystemMetrics {
  const { enabled, everySeconds, days, samples } = config.observability.metrics.history;
  const isKept = metrics !== undefined && enabled;
  if (isKept) {
    const stop = startSampler({
      db: database.pool,
      requests: () => metrics.requests(),
      everySeconds,
      kept: { days, most: samples },
      log,
    });
    releasers.add('measurements', stop);
  }
  return createSystemMetrics(database.pool, isKept);
}
