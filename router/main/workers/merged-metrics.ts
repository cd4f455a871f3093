// The summed metrics of all workers, including the counts of workers that have ended.
import { AggregatorRegistry } from 'prom-client';
import { reloadSnapshot } from '../../../platform/metrics/reload-metrics.ts';
import type { MetricsSnapshot } from '../../edge/metrics/metrics.ts';
import type { Calls } from './calls.ts';

export interface MergedMetrics {
  add(worker: number, calls: Calls): void;
  /** The worker has ended: its last known counts are kept, so that no counter decreases. */
  remove(worker: number): void;
  text(): Promise<string>;
}

const TIMEOUT_MS = 2000;

const merge = (snapshots: readonly MetricsSnapshot[]) => AggregatorRegistry.aggregate([...snapshots]);

/** prom-client's types declare numbers, its metrics contain strings. */
const isCumulative = ({ type }: MetricsSnapshot[number]): boolean =>
  ['counter', 'histogram'].includes(String(type));

export function createMergedMetrics(): MergedMetrics {
  const workers = new Map<number, { readonly calls: Calls; last: MetricsSnapshot }>();
  let ended: MetricsSnapshot[] = [];
  let reading: Promise<string> | undefined;

  const read = async (): Promise<string> => {
    await Promise.all(
      [...workers.values()].map(async (worker) => {
        // ending, or too busy: its last known metrics
        const answered = await worker.calls.call('metrics', undefined, TIMEOUT_MS).catch(() => undefined);
        if (answered !== undefined) worker.last = answered as MetricsSnapshot; // Its handler returns these.
      }),
    );
    const before = ended;
    ended = [];
    const together = await merge(before).getMetricsAsJSON();
    ended.push(together);
    const own = (await reloadSnapshot()) as unknown as MetricsSnapshot; // a registry gives the same of each metric
    return merge([...ended, own, ...[...workers.values()].map(({ last }) => last)]).metrics();
  };

  return {
    add(worker, calls) {
      workers.set(worker, { calls, last: [] });
    },
    remove(worker) {
      const counted = workers.get(worker)?.last.filter(isCumulative) ?? [];
      workers.delete(worker);
      if (counted.length > 0) ended.push(counted);
    },
    text: () =>
      (reading ??= read().finally(() => {
        reading = undefined;
      })),
  };
}
