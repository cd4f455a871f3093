// Lets requests that arrive together share one statement (design «Hot path» 2 and 5).
import { LRUCache } from 'lru-cache';

export interface CoalesceOptions<Item = never> {
  /** Most items in one flight. */
  readonly max: number;
  /** Flights under way at once; what arrives meanwhile waits for the next. */
  readonly inFlight: number;
  /** Most weight in one flight, where its items are weighed; one item may be heavier. */
  readonly weight?: { readonly of: (item: Item) => number; readonly most: number };
}

/**
 * A function of one item over a function of many. Items of one tick, and those that arrive while `inFlight` flights
 * are under way, travel together, in order of arrival; a flight leaves when the tick is over, or when it is full. `fly` answers one outcome per item, by position: a value, or an
 * Error that only that item's caller gets. If `fly` itself rejects, every item of that flight is rejected.
 */
export function coalesce<Item, Value>(
  fly: (items: readonly Item[]) => Promise<readonly (Value | Error)[]>,
  { max, inFlight, weight }: CoalesceOptions<Item>,
): (item: Item) => Promise<Value> {
  interface Waiting {
    item: Item;
    resolve: (value: Value) => void;
    reject: (error: unknown) => void;
  }
  let queue: Waiting[] = [];
  let flying = 0;
  let scheduled = false;

  /** How many of the queue travel together. */
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
    while (queue.length > 0 && flying < inFlight) {
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
              else w.resolve(outcome as Value); // by the contract of `fly` there is an outcome for every item
            }),
          (error: unknown) => group.forEach((w) => w.reject(error)),
        )
        .finally(() => {
          flying--;
          if (queue.length > 0) launch();
        });
    }
  };

  return (item) =>
    new Promise<Value>((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (flying >= inFlight) return;
      if (queue.length >= max) return launch(); // full: those behind it need not keep it waiting
      if (!scheduled) {
        scheduled = true;
        setImmediate(launch);
      }
    });
}

/**
 * Coalesced functions, one for each key: what one may ask never travels with what another may. The key must name everything that
 * `fly` depends on beside its items, rights included: the first `fly` of a key is kept.
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
 * Lets equal questions of one tick share one answer. `ask` runs once the tick is over: whoever comes later asks anew, so
 * nobody is answered with what was read before they asked. The key must name everything that the answer depends on, rights included.
 */
export function shareEqual(): <Value>(key: string, ask: () => Promise<Value>) => Promise<Value> {
  const waiting = new Map<string, Promise<unknown>>();
  return <Value>(key: string, ask: () => Promise<Value>): Promise<Value> => {
    const known = waiting.get(key);
    if (known) return known as Promise<Value>; // the key stands for the question, and so for its kind of answer
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
