// Writes down what this process measures, at intervals (docs/decisions/0110-measurements-are-kept.md).
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Logger } from 'pino';
import { productVersion } from '../../platform/product-version.ts';
import type { Queryable } from '../../platform/queryable.ts';
import type { RequestTotals } from '../edge/metrics/metrics.ts';
import { addSample, type SampleRetention, type ThisProcess } from './samples.store.ts';
import { type CountsSoFar, rates, readCounts, readGauges, type SampledValues } from './series.ts';

/** One for the life of the process, however often its configuration is loaded again. */
const thisProcess: ThisProcess = {
  id: randomUUID(),
  host: hostname(),
  pid: process.pid,
  version: productVersion,
  startedAt: new Date(performance.timeOrigin).toISOString(),
};

export interface SamplerOptions {
  readonly db: Queryable;
  readonly requests: () => RequestTotals;
  readonly everySeconds: number;
  readonly kept: SampleRetention;
  readonly log: Logger;
}

/** Milliseconds between two looks at the event loop. */
const RESOLUTION = 20;

/** The first sample comes soon after the start: whoever looks at a new process sees it. */
const FIRST_MS = 1000;

function heapUsed(): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used / limit;
}

/** Returns a function that ends it; a sample that is being written is waited for. */
export function startSampler({ db, requests, everySeconds, kept, log }: SamplerOptions): () => Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();
  let before: CountsSoFar | undefined;
  let hasFailed = false;

  const readings = async (): Promise<SampledValues> => {
    const now = await readCounts(requests());
    const own: SampledValues = {
      ...(before === undefined ? {} : rates(before, now)),
      // the histogram has the whole time between two looks
      ...(delay.count === 0
        ? {}
        : { event_loop_delay_seconds: Math.max(0, delay.max / 1e9 - RESOLUTION / 1000) }),
      heap_used_ratio: heapUsed(),
    };
    before = now;
    delay.reset();
    return { ...(await readGauges()), ...own };
  };

  const sample = async (): Promise<void> => {
    try {
      await addSample(db, thisProcess, await readings(), kept);
      hasFailed = false;
    } catch (err) {
      if (!hasFailed) log.warn({ err }, 'measurements could not be written down: a gap remains');
      hasFailed = true;
    }
  };
  let last: Promise<void> = Promise.resolve();
  const next = (): void => {
    last = last.then(sample);
  };
  const first = setTimeout(next, Math.min(FIRST_MS, everySeconds * 1000)).unref();
  const timer = setInterval(next, everySeconds * 1000).unref();
  return async () => {
    clearTimeout(first);
    clearInterval(timer);
    await last;
    delay.disable();
  };
}
