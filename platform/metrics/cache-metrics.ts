// Hits and misses of what processes keep, in one metric for all of them.
import { Counter } from 'prom-client';
import { ownRegistry } from './process-metrics.ts';

export interface CacheCounts {
  hits: number;
  misses: number;
}

const counted = new Map<string, CacheCounts>();

new Counter({
  name: 'cairn_cache_requests_total',
  help: 'Lookups in what a process keeps, by cache and result.',
  labelNames: ['cache', 'result'],
  registers: [ownRegistry],
  collect() {
    this.reset();
    for (const [cache, { hits, misses }] of counted) {
      this.inc({ cache, result: 'hit' }, hits);
      this.inc({ cache, result: 'miss' }, misses);
    }
  },
});

/** The counts of the cache of this name, to be added to. */
export function cacheCounts(cache: string): CacheCounts {
  const known = counted.get(cache) ?? { hits: 0, misses: 0 };
  counted.set(cache, known);
  return known;
}
