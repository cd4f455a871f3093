// Probes the components together, caches the report, and provides the metrics.
import { auditProblems, type HealthProblem, PROBLEM_CODES } from './problems.ts';
import type { WritePath } from '../../platform/database/write-path.store.ts';
import { waitAtMost } from '../../platform/wait-at-most.ts';
import { shareUnderWay } from '../../platform/coalesce.ts';
import { exactTimeText } from '../../platform/instant.ts';
import { inTime } from '../../platform/readiness.ts';
import { componentHealth, type ComponentHealth, type HealthReport, overall } from './health-report.ts';

/** A component for health checks. */
export interface Probed {
  readonly url: string;
  /** Timeout of a probe in milliseconds; and the latency objective. */
  readonly timeoutMs: number;
  readonly latencyObjectiveMs: number;
  /** Milliseconds between probes if this component has an interval of its own. */
  readonly intervalMs?: number | undefined;
  /** One probe: the HTTP status, null without a response; may also reject for that. */
  probe(signal: AbortSignal): Promise<number | null>;
  /**
   * A one-word reason if it responds but cannot do a part of its work; null otherwise. Only asked if the
   * probe found no other fault.
   */
  readonly problem?: (() => Promise<string | null>) | undefined;
}

export interface HealthOptions {
  readonly components: Readonly<Record<string, Probed>>;
  /** Whether the gateway's own store responds; may also reject. */
  readonly storeAnswers: () => Promise<boolean>;
  /** Whether writes get through; may also reject. */
  readonly writePath?: (() => Promise<WritePath>) | undefined;
  /** What is wrong beside the components; what fails to tell counts as nothing. */
  readonly problems?: readonly (() => Promise<readonly HealthProblem[]>)[];
  /** Milliseconds for which a report is cached. */
  readonly cacheMs: number;
  /** Number of lost audit records, and whether records are being lost now. */
  readonly audit?: { readonly lost: number; readonly failure: string | undefined } | undefined;
}

export interface Health {
  report(): Promise<HealthReport>;
  /** Whether the store responds now, without the cache. */
  isReady(): Promise<boolean>;
  /** Whether writes get through now; null where the store does not tell in time. */
  writes(): Promise<WritePath | null>;
  /**
   * 1 healthy, 0 not, for the gauge: from a current report, or if that takes longer than a second, from the
   * last one.
   */
  seen(): Promise<Readonly<Record<string, number>>>;
  /** The same for problems: 1 for each that there is, 0 otherwise. */
  seenProblems(): Promise<Readonly<Record<string, number>>>;
}

/** Timeout of a gauge in milliseconds: it tells what was seen last where a report takes longer. */
const GAUGE_TIMEOUT = 1000;

async function probe(component: Probed): Promise<ComponentHealth> {
  const { url, timeoutMs, latencyObjectiveMs } = component;
  const signal = AbortSignal.timeout(timeoutMs);
  const startedAt = performance.now();
  const silence = new Promise<null>((resolve) =>
    signal.addEventListener('abort', () => resolve(null), { once: true }),
  );
  // a failed probe counts as no response
  const status = await Promise.race([component.probe(signal).catch(() => null), silence]);
  const health = componentHealth(url, latencyObjectiveMs, {
    status,
    latencyMs: performance.now() - startedAt,
    timedOut: signal.aborted,
  });
  // a reason that the component knows says more than that it is slow, which it may be because of it
  const isTold = health.status !== 'healthy' && health.detail !== 'slow_response';
  if (isTold || component.problem === undefined) return health;
  // a failure to answer counts as no reason
  const problem = await Promise.race([component.problem().catch(() => null), silence]);
  return problem === null ? health : { ...health, status: 'degraded', detail: problem };
}

export function createHealth({
  components,
  storeAnswers,
  writePath,
  problems: askedProblems = [],
  cacheMs,
  audit,
}: HealthOptions): Health {
  let current: Promise<HealthReport> | undefined;
  let madeAt = -Infinity;
  let seen: Readonly<Record<string, number>> = {};
  let seenProblems: Readonly<Record<string, number>> = {};
  const probedAt = new Map<string, { at: number; health: ComponentHealth }>();

  // probes have no rate limit
  const shared = { answers: shareUnderWay<boolean>(), writes: shareUnderWay<WritePath | null>() };
  const isReady = (): Promise<boolean> => shared.answers('', () => inTime(storeAnswers, false));

  const probeDue = async (name: string, component: Probed): Promise<ComponentHealth> => {
    const last = probedAt.get(name);
    if (
      last !== undefined &&
      component.intervalMs !== undefined &&
      performance.now() - last.at < component.intervalMs
    )
      return last.health;
    const health = await probe(component);
    probedAt.set(name, { at: performance.now(), health });
    return health;
  };

  const make = async (): Promise<HealthReport> => {
    const [ready, told, ...entries] = await Promise.all([
      isReady(),
      Promise.all(askedProblems.map((ask) => inTime(ask, []))).then((each) => each.flat()),
      ...Object.entries(components).map(
        async ([name, component]) => [name, await probeDue(name, component)] as const,
      ),
    ]);
    const problems = [...told, ...(audit === undefined ? [] : auditProblems(audit))];
    seen = Object.fromEntries(entries.map(([name, { status }]) => [name, status === 'healthy' ? 1 : 0]));
    seenProblems = Object.fromEntries(
      PROBLEM_CODES.map((one) => [one, Number(problems.some(({ code }) => code === one))]),
    );
    const bridge = ready ? 'healthy' : 'unhealthy';
    return {
      status: overall([
        bridge,
        ...problems.map(() => 'degraded' as const),
        ...entries.map(([, { status }]) => status),
      ]),
      bridge,
      components: Object.fromEntries(entries),
      checked_at: exactTimeText(new Date()),
      ...(audit?.failure === undefined ? {} : { audit: { lost: audit.lost } }),
      ...(problems.length === 0 ? {} : { problems }),
    };
  };

  const report = (): Promise<HealthReport> => {
    if (current === undefined || performance.now() - madeAt >= cacheMs) {
      madeAt = Infinity;
      current = make().finally(() => {
        madeAt = performance.now();
      });
    }
    return current;
  };

  return {
    report,
    isReady,
    writes: () =>
      writePath === undefined
        ? Promise.resolve(null)
        : shared.writes('', () => inTime<WritePath | null>(writePath, null)),
    async seen() {
      await waitAtMost(GAUGE_TIMEOUT, report());
      return seen;
    },
    async seenProblems() {
      await waitAtMost(GAUGE_TIMEOUT, report());
      return seenProblems;
    },
  };
}
