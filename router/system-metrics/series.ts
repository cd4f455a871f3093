// What each process writes down of itself and of the deployment, so that the past can be looked at
// (docs/reference/gateway.md#measurements).
import { totalsOf, valueOf } from '../../platform/metrics/process-metrics.ts';
import { BUCKETS, type RequestTotals } from '../edge/metrics/metrics.ts';

export type Unit = 'per_second' | 'seconds' | 'bytes' | 'count' | 'ratio';

interface SeriesDefinition {
  readonly unit: Unit;
  /** Whether each process has its own; what all tell of the same, such as a queue, is shown once. */
  readonly isOfProcess: boolean;
  /** What stands for several samples: of what hurts at its worst, the worst. */
  readonly combine: 'avg' | 'max';
}

const own = (unit: Unit, combine: 'avg' | 'max' = 'avg'): SeriesDefinition => ({
  unit,
  isOfProcess: true,
  combine,
});
const common = (unit: Unit): SeriesDefinition => ({ unit, isOfProcess: false, combine: 'max' });

export const SERIES = {
  requests_per_second: own('per_second'),
  errors_per_second: own('per_second'),
  latency_p95_seconds: own('seconds', 'max'),
  event_loop_delay_seconds: own('seconds', 'max'),
  memory_bytes: own('bytes', 'max'),
  heap_used_ratio: own('ratio', 'max'),
  database_connections_used: own('count', 'max'),
  database_waiting: own('count', 'max'),
  body_bytes_in_flight: own('bytes', 'max'),
  shed_per_second: own('per_second'),
  log_events_per_second: own('per_second'),
  log_lock_wait_seconds: own('seconds', 'max'),
  cache_hit_ratio: own('ratio'),
  feed_followers: own('count', 'max'),
  feed_lag_events: own('count', 'max'),
  log_position: common('count'),
  runs_queued: common('count'),
  runs_running: common('count'),
  productions_queued: common('count'),
  productions_running: common('count'),
  deliveries_failed: common('count'),
  triggers_late: common('count'),
  triggers_failing: common('count'),
  triggers_degraded: common('count'),
  store_bytes: common('bytes'),
} as const satisfies Record<string, SeriesDefinition>;

export type SeriesName = keyof typeof SERIES;
export const SERIES_NAMES = Object.keys(SERIES) as readonly SeriesName[]; // its keys

/** A value of each series that has one now. */
export type SampledValues = Partial<Record<SeriesName, number>>;

const GAUGES: Partial<
  Record<SeriesName, readonly [metric: string, labels?: Readonly<Record<string, string>>]>
> = {
  memory_bytes: ['process_resident_memory_bytes'],
  database_connections_used: ['cairn_database_connections_used'],
  database_waiting: ['cairn_database_waiting'],
  body_bytes_in_flight: ['cairn_body_bytes_in_flight'],
  feed_followers: ['cairn_feed_followers'],
  feed_lag_events: ['cairn_feed_lag_events'],
  log_position: ['cairn_log_position'],
  runs_queued: ['cairn_runs', { status: 'queued' }],
  runs_running: ['cairn_runs', { status: 'running' }],
  productions_queued: ['cairn_productions', { status: 'queued' }],
  productions_running: ['cairn_productions', { status: 'running' }],
  deliveries_failed: ['cairn_deliveries_failed'],
  triggers_late: ['cairn_triggers', { state: 'late' }],
  triggers_failing: ['cairn_triggers', { state: 'failing' }],
  triggers_degraded: ['cairn_triggers', { state: 'degraded' }],
  store_bytes: ['cairn_store_bytes'],
};

export async function readGauges(): Promise<SampledValues> {
  const read = await Promise.all(
    Object.entries(GAUGES).map(
      async ([name, [metric, labels]]) => [name, await valueOf(metric, labels)] as const,
    ),
  );
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

/** CountsSoFar since the process began: what they grow by is the measurement. */
export interface CountsSoFar {
  readonly at: number;
  readonly requests: RequestTotals;
  readonly shed: number;
  readonly events: number;
  readonly lockWaits: number;
  readonly lockWaitSeconds: number;
  readonly hits: number;
  readonly misses: number;
}

export async function readCounts(requests: RequestTotals): Promise<CountsSoFar> {
  const [shed = 0, events = 0, hits = 0, misses = 0, lock] = await Promise.all([
    valueOf('cairn_shed_requests_total'),
    valueOf('cairn_log_events_total'),
    valueOf('cairn_cache_requests_total', { result: 'hit' }),
    valueOf('cairn_cache_requests_total', { result: 'miss' }),
    totalsOf('cairn_log_lock_wait_seconds'),
  ]);
  return {
    at: performance.now(),
    requests,
    shed,
    events,
    lockWaits: lock.count,
    lockWaitSeconds: lock.sum,
    hits,
    misses,
  };
}

/** The least bound below which 95 of 100 were, by the buckets; undefined where there were none. */
function p95(before: RequestTotals, now: RequestTotals): number | undefined {
  const total = now.count - before.count;
  if (total <= 0) return undefined;
  let below = 0;
  for (const [i, bound] of BUCKETS.entries()) {
    const inBucket = (now.counts[i] ?? 0) - (before.counts[i] ?? 0);
    if (below + inBucket >= 0.95 * total) {
      const least = BUCKETS[i - 1] ?? 0;
      return least + ((bound - least) * (0.95 * total - below)) / inBucket;
    }
    below += inBucket;
  }
  return BUCKETS.at(-1);
}

/** What two readings of the counts say of the time between them. */
export function rates(before: CountsSoFar, now: CountsSoFar): SampledValues {
  const seconds = (now.at - before.at) / 1000;
  const perSecond = (from: number, to: number): number => Math.max(0, to - from) / seconds;
  const waits = now.lockWaits - before.lockWaits;
  const lookups = now.hits + now.misses - before.hits - before.misses;
  const latency = p95(before.requests, now.requests);
  return {
    requests_per_second: perSecond(before.requests.count, now.requests.count),
    errors_per_second: perSecond(before.requests.failed, now.requests.failed),
    ...(latency === undefined ? {} : { latency_p95_seconds: latency }),
    shed_per_second: perSecond(before.shed, now.shed),
    log_events_per_second: perSecond(before.events, now.events),
    ...(waits > 0 ? { log_lock_wait_seconds: (now.lockWaitSeconds - before.lockWaitSeconds) / waits } : {}),
    ...(lookups > 0 ? { cache_hit_ratio: (now.hits - before.hits) / lookups } : {}),
  };
}
