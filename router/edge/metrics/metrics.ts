// The gateway's metrics (docs/reference/gateway.md#metrics), counted as plain numbers during requests and
// formatted only when they are read.
import { Counter, Gauge, type Metric, Registry } from 'prom-client';
import type { ErrorCode } from '../../../platform/errors.ts';
import { processMetrics } from '../../../platform/metrics/process-metrics.ts';

export interface MetricsSources {
  /** 1 for each healthy component, 0 otherwise. */
  readonly componentHealth: () => Promise<Readonly<Record<string, number>>>;
  /** 1 for each problem of the health report that there is, 0 otherwise. */
  readonly problems?: () => Promise<Readonly<Record<string, number>>>;
  /** 1 for each component with an address that is not asked now, 0 otherwise. */
  readonly circuits: () => Readonly<Record<string, number>>;
  /** Number of valid refresh tokens. */
  readonly activeTokens: () => Promise<number>;
  /** Types of mismatches, which are told before there is one: an alert sees it grow from zero. */
  readonly mismatchTypes?: readonly string[];
}

/** All metrics as plain data, from which those of several processes are summed. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

export interface Metrics {
  /** `template` must come from a bounded set, because it becomes a label. */
  requestDone(method: string, template: string, status: number, seconds: number): void;
  /** A refusal by authentication or authorization, by its code. */
  authFailed(type: string): void;
  /** The same, for a refusal that may be of another kind, which does not count. */
  refused(code: ErrorCode): void;
  syncMismatch(type: string): void;
  /** All requests so far, of all kinds together. */
  requests(): RequestTotals;
  readonly contentType: string;
  /** All metrics in the text exposition format. */
  text(): Promise<string>;
  snapshot(): Promise<MetricsSnapshot>;
}

const AUTH_FAILURES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'missing_token',
  'invalid_token',
  'expired_token',
  'revoked_token',
  'insufficient_role',
  'project_scope_denied',
  'signature_invalid',
]);

/** Upper bounds of the latency buckets, in seconds. */
export const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

export interface RequestTotals {
  readonly count: number;
  /** Answers with a status of 500 or more. */
  readonly failed: number;
  readonly seconds: number;
  /** How many took at most as long as each of {@link BUCKETS}, and longer than the one before. */
  readonly counts: readonly number[];
}

interface Series {
  method: string;
  template: string;
  byStatus: Map<number, number>;
  counts: number[];
  sum: number;
  count: number;
}

interface Sample {
  value: number;
  labels: Record<string, string | number>;
  metricName?: string;
}

class RequestSeries {
  readonly #series = new Map<string, Map<string, Series>>();

  of(method: string, template: string): Series {
    let methods = this.#series.get(template);
    if (methods === undefined) this.#series.set(template, (methods = new Map<string, Series>()));
    let series = methods.get(method);
    if (series === undefined) {
      series = {
        method,
        template,
        byStatus: new Map(),
        counts: new Array<number>(BUCKETS.length).fill(0),
        sum: 0,
        count: 0,
      };
      methods.set(method, series);
    }
    return series;
  }

  *[Symbol.iterator](): Iterator<Series> {
    for (const methods of this.#series.values()) yield* methods.values();
  }

  totals(): Sample[] {
    return [...this].flatMap(({ method, template, byStatus }) =>
      [...byStatus].map(([status, value]) => ({ value, labels: { method, path_prefix: template, status } })),
    );
  }

  sum(): RequestTotals {
    const all = { count: 0, failed: 0, seconds: 0, counts: new Array<number>(BUCKETS.length).fill(0) };
    for (const { byStatus, counts, sum, count } of this) {
      all.count += count;
      all.seconds += sum;
      for (const [status, times] of byStatus) if (status >= 500) all.failed += times;
      for (const [i, times] of counts.entries()) all.counts[i] = (all.counts[i] ?? 0) + times;
    }
    return all;
  }

  durations(name: string): Sample[] {
    return [...this].flatMap(({ method, template, counts, sum, count }) => {
      const labels = { method, path_prefix: template };
      let below = 0;
      const buckets = BUCKETS.map((le, i) => ({
        metricName: `${name}_bucket`,
        labels: { ...labels, le },
        value: (below += counts[i] ?? 0),
      }));
      return [
        ...buckets,
        { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
  }
}

/** A metric whose samples are computed when they are read. prom-client only uses its name and `get()`. */
const derived = (name: string, help: string, type: 'counter' | 'histogram', values: () => Sample[]): Metric =>
  ({
    name,
    get: () => Promise.resolve({ name, help, type, values: values(), aggregator: 'sum' }),
    reset: () => undefined,
  }) as unknown as Metric;

function healthGauges(sources: MetricsSources, registers: Registry[]): void {
  new Gauge({
    name: 'gateway_component_health',
    help: '1 if the component is healthy, otherwise 0.',
    labelNames: ['component'],
    registers,
    aggregator: 'min',
    async collect() {
      for (const [component, value] of Object.entries(await sources.componentHealth()))
        this.set({ component }, value);
    },
  });
  new Gauge({
    name: 'gateway_health_problems',
    help: '1 while the health report has the problem, otherwise 0.',
    labelNames: ['code'],
    registers,
    aggregator: 'max',
    async collect() {
      for (const [code, value] of Object.entries((await sources.problems?.()) ?? {}))
        this.set({ code }, value);
    },
  });
  new Gauge({
    name: 'gateway_component_circuit_open',
    help: '1 while the component is not asked, because it has failed again and again, otherwise 0.',
    labelNames: ['component'],
    registers,
    aggregator: 'max',
    collect() {
      for (const [component, value] of Object.entries(sources.circuits())) this.set({ component }, value);
    },
  });
}

export function createMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const all = [processMetrics(), registry];
  const requests = new RequestSeries();
  const total = 'gateway_requests_total';
  const duration = 'gateway_request_duration_seconds';
  registry.registerMetric(
    derived(total, 'Requests by method, path prefix and status.', 'counter', () => requests.totals()),
  );
  registry.registerMetric(
    derived(duration, 'Latency by method and path prefix.', 'histogram', () => requests.durations(duration)),
  );
  const authFailures = new Counter({
    name: 'gateway_auth_failures_total',
    help: 'Authentication and authorization failures by type.',
    labelNames: ['type'],
    registers,
  });
  const mismatches = new Counter({
    name: 'gateway_sync_mismatches_total',
    help: 'Sync mismatches by type.',
    labelNames: ['type'],
    registers,
  });
  for (const type of sources.mismatchTypes ?? []) mismatches.inc({ type }, 0);
  healthGauges(sources, registers);
  new Gauge({
    name: 'gateway_active_tokens',
    help: 'Refresh tokens that are currently valid.',
    registers,
    aggregator: 'max', // all processes report the same tokens
    async collect() {
      this.set(await sources.activeTokens());
    },
  });
  return {
    requestDone(method, template, status, seconds) {
      const series = requests.of(method, template);
      series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1);
      const bucket = BUCKETS.findIndex((le) => seconds <= le);
      if (bucket >= 0) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
      series.sum += seconds;
      series.count++;
    },
    authFailed: (type) => authFailures.inc({ type }),
    refused(code) {
      if (AUTH_FAILURES.has(code)) authFailures.inc({ type: code });
    },
    syncMismatch: (type) => mismatches.inc({ type }),
    requests: () => requests.sum(),
    contentType: registry.contentType,
    text: async () => (await Promise.all(all.map((one) => one.metrics()))).join('\n'),
    snapshot: async () => (await Promise.all(all.map((one) => one.getMetricsAsJSON()))).flat(),
  };
}
