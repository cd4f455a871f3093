// Batches requests to a shared store of rate limits: one call at a time per rate, for all keys requested
// meanwhile.
import type { Rate } from './rate-limiter.ts';
import type { TokenLease, RateBuckets } from './rate-buckets.ts';

interface Waiting {
  want: number;
  readonly answer: (grant: TokenLease) => void;
  readonly fail: (cause: unknown) => void;
}

interface Queue {
  readonly rate: Rate;
  keys: Map<string, Waiting[]>;
  busy: boolean;
}

export interface Leasing {
  /**
   * Tokens of the key: at least one of the requested ones if `granted` is not 0. Rejects if the store does.
   */
  take(key: string, rate: Rate, want: number): Promise<TokenLease>;
}

/** Maximum keys of one call. */
const MAX_KEYS = 500;

/** Gives each waiter one token, as far as they go; the rest goes to the first. */
function share(waiting: readonly Waiting[], { granted, fullIn }: TokenLease): void {
  const spare = Math.max(0, granted - waiting.length);
  waiting.forEach((one, i) => {
    const share = i === 0 ? 1 + spare : 1;
    one.answer({ granted: i >= granted ? 0 : share, fullIn });
  });
}

export function createLeasing(buckets: RateBuckets): Leasing {
  const queues = new Map<string, Queue>();

  const run = async (queue: Queue): Promise<void> => {
    queue.busy = true;
    while (queue.keys.size > 0) {
      const taken = [...queue.keys].slice(0, MAX_KEYS);
      for (const [key] of taken) queue.keys.delete(key);
      try {
        // several waiters for one key need a token each, and the largest of their batches
        const asks = taken.map(([key, waiting]) => ({
          key,
          want: waiting.length - 1 + Math.max(...waiting.map(({ want }) => want)),
        }));
        const grants = await buckets.lease(asks, queue.rate);
        taken.forEach(([, waiting], i) => {
          share(waiting, grants[i] ?? { granted: 0, fullIn: 0 });
        });
      } catch (cause) {
        for (const [, waiting] of taken) for (const one of waiting) one.fail(cause);
      }
    }
    queue.busy = false;
  };

  return {
    take(key, rate, want) {
      const name = `${rate.perSecond} ${rate.burst}`;
      let queue = queues.get(name);
      if (queue === undefined) queues.set(name, (queue = { rate, keys: new Map(), busy: false }));
      const at = queue;
      return new Promise<TokenLease>((answer, fail) => {
        const waiting = at.keys.get(key);
        if (waiting === undefined) at.keys.set(key, [{ want, answer, fail }]);
        else waiting.push({ want, answer, fail });
        if (!at.busy) {
          at.busy = true;
          queueMicrotask(() => void run(at));
        }
      });
    },
  };
}
