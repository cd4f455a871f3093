// Derives the health report from the probes (docs/reference/gateway.md#health-report).

import type { HealthProblem } from './problems.ts';

export type HealthStatus = 'healthy' | 'degraded' | 'unhealthy';

/** The result of one probe of a component. */
export interface ProbeResult {
  /** HTTP status, null without a response. */
  readonly status: number | null;
  readonly latencyMs: number;
  /** No response in time. */
  readonly timedOut: boolean;
}

export interface ComponentHealth {
  readonly status: HealthStatus;
  /** Whole milliseconds. */
  readonly latency_ms: number;
  readonly url: string;
  /** `slow_response`, `http_<status>`, `timeout`, `unreachable`, `triggers_degraded`. */
  readonly detail?: string;
}

export interface HealthReport {
  readonly status: HealthStatus;
  readonly bridge: HealthStatus;
  readonly components: Readonly<Record<string, ComponentHealth>>;
  readonly checked_at: string;
  /** Only while audit records are being lost. */
  readonly audit?: { readonly lost: number };
  /** Only while there are some. */
  readonly problems?: readonly HealthProblem[];
}

/**
 * Healthy within the latency objective; degraded when slow or with an error other than 5xx; unhealthy with
 * 5xx or without a response.
 */
export function componentHealth(
  url: string,
  objectiveMs: number,
  { status, latencyMs, timedOut }: ProbeResult,
): ComponentHealth {
  const seen = { latency_ms: Math.round(latencyMs), url };
  if (status === null) return { status: 'unhealthy', ...seen, detail: timedOut ? 'timeout' : 'unreachable' };
  if (status >= 500) return { status: 'unhealthy', ...seen, detail: `http_${status}` };
  if (status >= 400) return { status: 'degraded', ...seen, detail: `http_${status}` };
  if (latencyMs > objectiveMs) return { status: 'degraded', ...seen, detail: 'slow_response' };
  return { status: 'healthy', ...seen };
}

const WORST_FIRST = ['unhealthy', 'degraded', 'healthy'] as const;

export const overall = (statuses: readonly HealthStatus[]): HealthStatus =>
  WORST_FIRST.find((status) => statuses.includes(status)) ?? 'healthy';
