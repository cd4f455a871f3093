// A cache of many small entries.
import { LRUCache } from 'lru-cache';

/**
 * A cache of at most `max` entries that takes memory as it fills: with `max` alone the library allocates its
 * arrays for all entries at once (3 MB and 25 ms for 100,000).
 */
export const lruCache = <Value extends object>(max: number): LRUCache<string, Value> =>
  new LRUCache({ maxSize: max, sizeCalculation: () => 1 });
