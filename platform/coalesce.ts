// Batches concurrent lookups into one statement (docs/architecture.md#the-way-of-a-request).
import { LRUCache } from 'lru-cache';

export interface CoalesceOptions<Item = never> {
  /** Maximum number of items in one batch. */
  readonly max: number;
  /** Maximum number of batches running at once. Items that arrive meanwhile wait for the next batch. */
  readonly inFlight: number | (() => number);
  /**
   * For how many milliseconds after a batch has ended the next one waits for the callers of that batch to come
   * again; it starts as soon as most of them have. Without it, it starts at once.
   */
  readonly gatherMs?: () => number;
  /** Maximum total weight of a batch, where items are weighed. A single item may exceed it. */
  readonly weight?: { readonly of: (item: Item) => number; readonly most: number };
}

/** The share of the callers of the last batch that the next one waits for. */
const MOST = 0.75;

/**
 * Turns a function of many items into a function of one item. Items that arrive in the same tick, or while
 * `inFlight` batches are running, are batched in order of arrival. A batch starts at the end of the tick, or
 * when it is full. `fly` resolves to one outcome per item, by position: a value, or an Error that rejects
 * only that item's caller. If `fly` itself rejects, every item of the batch is rejected.
 */
export function coalesce<Item, Value>(
  fly: (items: readonly Item[]) => Promise<readonly (Value | Error)[]>,
  { max, inFlight, gatherMs = () => 0, weight }: CoalesceOptions<Item>,
): (item: Item) => Promise<Value> {
  const most = typeof inFlight === 'number' ? () => inFlight : inFlight;
  interface Waiting {
    item: Item;
    resolve: (value: Value) => void;
    reject: (error: unknown) => void;
  }
  let queue: Waiting[] = [];
  let flying = 0;
  let scheduled = false;
  /** Until when, and for how many items, the next batch waits. */
  let gathered = { until: 0, count: 0 };
  let timer: NodeJS.Timeout | undefined;

  /** Returns how many items of the queue form the next batch. */
  const size = (): number => {
    if (weight === undefined) return Math.min(queue.length, max);
    let [count, sum] = [0, 0];
    for (const { item } of queue) {
      sum += weight.of(item);
      if (count === max || (count > 0 && sum > weight.most)) break;
      count++;
    }
    return count;
  };

  const launch = (): void => {
    scheduled = false;
    clearTimeout(timer);
    timer = undefined;
    while (queue.length > 0 && flying < most()) {
      const count = size();
      const group = queue.length > count ? queue.splice(0, count) : queue;
      if (group === queue) queue = [];
      flying++;
      void fly(group.map((w) => w.item))
        .then(
          (outcomes) =>
            group.forEach((w, i) => {
              const outcome = outcomes[i];
              if (outcome instanceof Error) w.reject(outcome);
              else w.resolve(outcome as Value); // `fly` returns an outcome for every item
            }),
          (error: unknown) => group.forEach((w) => w.reject(error)),
        )
        .finally(() => {
          flying--;
          const ms = gatherMs();
          if (ms > 0)
            gathered = { until: performance.now() + ms, count: (queue.length + group.length) * MOST };
          if (queue.length > 0) launchGathered();
        });
    }
  };

  /** Starts a batch now, or when those that are expected have come. */
  const launchGathered = (): void => {
    scheduled = false;
    const ms = queue.length < Math.min(gathered.count, max) ? gathered.until - performance.now() : 0;
    if (ms <= 0) return launch();
    timer ??= setTimeout(launch, ms);
  };

  return (item) =>
    new Promise<Value>((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (flying >= most()) return;
      if (queue.length >= max) return launch(); // full: start without waiting for the end of the tick
      if (!scheduled && (timer === undefined || queue.length >= gathered.count)) {
        scheduled = true;
        setImmediate(launchGathered);
      }
    });
}

/**
 * Keeps one coalesced function per key, so that callers with different rights never share a batch. The key
 * must identify everything that `fly` depends on beside its items, including rights: the first `fly` of a key
 * is kept.
 */
export function coalesceApart<Item, Value>(
  options: CoalesceOptions<Item>,
): (
  key: string,
  fly: (items: readonly Item[]) => Promise<readonly (Value | Error)[]>,
) => (item: Item) => Promise<Value> {
  const made = new LRUCache<string, (item: Item) => Promise<Value>>({ max: 500 });
  return (key, fly) => {
    let one = made.get(key);
    if (one === undefined) made.set(key, (one = coalesce(fly, options)));
    return one;
  };
}

/**
 * Shares one result among equal queries of one tick. `ask` runs at the end of the tick. A later caller starts
 * a new query, so no caller gets data that was read before its call. The key must identify everything that
 * the result depends on, including rights.
 */
export function shareEqual(): <Value>(key: string, ask: () => Promise<Value>) => Promise<Value> {
  const waiting = new Map<string, Promise<unknown>>();
  return <Value>(key: string, ask: () => Promise<Value>): Promise<Value> => {
    const known = waiting.get(key);
    // The key identifies the query, and so the type of its result.
    if (known) return known as Promise<Value>;
    const answer = new Promise<Value>((resolve, reject) => {
      setImmediate(() => {
        waiting.delete(key);
        ask().then(resolve, reject);
      });
    });
    waiting.set(key, answer);
    return answer;
  };
}

/**
 * Shares one result among those who ask for the same while it is under way. The key must identify everything that
 * the result depends on, including rights.
 */
export function shareUnderWay<Value>(): (key: string, ask: () => Promise<Value>) => Promise<Value> {
  const underWay = new Map<string, Promise<Value>>();
  return (key, ask) => {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const answer = ask().finally(() => {
      underWay.delete(key);
    });
    underWay.set(key, answer);
    return answer;
  };
}
