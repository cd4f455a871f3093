// What a store of rate limits that processes share has to do: hand out tokens, each once, and say when more
// are due.
import type { Rate } from '../rate-limiter.ts';

export interface Ask {
  readonly key: string;
  /** Tokens wanted, at least one. */
  readonly want: number;
}

export interface Grant {
  /** Tokens handed out: as many as were wanted, or as there were. */
  readonly granted: number;
  /** Seconds until the bucket is full again, by the store's clock. */
  readonly fullIn: number;
}

export interface RateBuckets {
  /** One grant for each ask, in their order. The keys differ. */
  lease(asks: readonly Ask[], rate: Rate): Promise<readonly Grant[]>;
  close(): Promise<void>;
}
