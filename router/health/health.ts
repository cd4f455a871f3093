// Keeps an eye on the components: probes them together, remembers the report for a while, and tells metrics
// what it saw.
import { componentHealth, type ComponentHealth, type HealthReport, overall } from './health-report.ts';

/** A component as health sees it. */
export interface Probed {
  readonly url: string;
  /** Milliseconds a probe may take; and that a healthy one takes at most. */
  readonly timeoutMs: number;
  readonly latencyObjectiveMs: number;
  /**
   * Milliseconds between probes where this component is to be probed at other times than the report is made.
   */
  readonly intervalMs?: number | undefined;
  /** One probe: the HTTP status, null where nothing answered; may also reject for that. */
  probe(signal: AbortSignal): Promise<number | null>;
  /**
   * What of its work it cannot do though it answers, in one word; null where there is nothing. Asked where
   * the probe found nothing else.
   */
  readonly problem?: (() => Promise<string | null>) | undefined;
}

export interface HealthOptions {
  readonly components: Readonly<Record<string, Probed>>;
  /** Whether the gateway's own store answers; may reject for no. */
  readonly storeAnswers: () => Promise<boolean>;
  /** Milliseconds for which a report stands. */
  readonly cacheMs: number;
  /** Audit records lost so far, and whether they still are being lost. */
  readonly audit?: { readonly lost: number; readonly failure: string | undefined } | undefined;
}

export interface Health {
  report(): Promise<HealthReport>;
  /** Whether the store answers now, not remembered. */
  isReady(): Promise<boolean>;
  /**
   * 1 healthy, 0 not, for the gauge: as a report of now says, or where that takes longer than a second, as
   * last seen.
   */
  seen(): Promise<Readonly<Record<string, number>>>;
}

/** How long a gauge may take, in milliseconds. */
const GAUGE_TIMEOUT = 1000;
/** How long the gateway's own store may take. */
const STORE_TIMEOUT = 2000;

async function probe(component: Probed): Promise<ComponentHealth> {
  const { url, timeoutMs, latencyObjectiveMs } = component;
  const signal = AbortSignal.timeout(timeoutMs);
  const startedAt = performance.now();
  const silence = new Promise<null>((resolve) =>
    signal.addEventListener('abort', () => resolve(null), { once: true }),
  );
  // a probe that fails is one that nothing answered
  const status = await Promise.race([component.probe(signal).catch(() => null), silence]);
  const health = componentHealth(url, latencyObjectiveMs, {
    status,
    latencyMs: performance.now() - startedAt,
    timedOut: signal.aborted,
  });
  if (health.status !== 'healthy' || component.problem === undefined) return health;
  // who does not say has none to tell of
  const problem = await Promise.race([component.problem().catch(() => null), silence]);
  return problem === null ? health : { ...health, status: 'degraded', detail: problem };
}

export function createHealth({ components, storeAnswers, cacheMs, audit }: HealthOptions): Health {
  let current: Promise<HealthReport> | undefined;
  let madeAt = -Infinity;
  let seen: Readonly<Record<string, number>> = {};
  const probedAt = new Map<string, { at: number; health: ComponentHealth }>();

  const isReady = async (): Promise<boolean> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, STORE_TIMEOUT, false);
    });
    // a store that fails is one that does not answer
    const answer = await Promise.race([storeAnswers().catch(() => false), late]);
    clearTimeout(timer);
    return answer;
  };

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
    const [ready, ...entries] = await Promise.all([
      isReady(),
      ...Object.entries(components).map(
        async ([name, component]) => [name, await probeDue(name, component)] as const,
      ),
    ]);
    seen = Object.fromEntries(entries.map(([name, { status }]) => [name, status === 'healthy' ? 1 : 0]));
    const bridge = ready ? 'healthy' : 'unhealthy';
    return {
      status: overall([bridge, ...entries.map(([, { status }]) => status)]),
      bridge,
      components: Object.fromEntries(entries),
      checked_at: new Date().toISOString().replace('Z', '000Z'),
      ...(audit?.failure === undefined ? {} : { audit: { lost: audit.lost } }),
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
    async seen() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, GAUGE_TIMEOUT);
      });
      await Promise.race([report(), late]);
      clearTimeout(timer);
      return seen;
    },
  };
}
