// The interface of a shared store of rate limits: it grants tokens, each once, and says when more are
// available.
import type { Rate } from './rate-limiter.ts';

export interface Ask {
  readonly key: string;
  /** Requested tokens, at least one. */
  readonly want: number;
}

export interface TokenLease {
  /** Granted tokens: as many as requested, or as available. */
  readonly granted: number;
  /** Seconds until the bucket is full again, by the store's clock. */
  readonly fullIn: number;
}

export interface RateBuckets {
  /** One grant per request, in their order. The keys differ. */
  lease(asks: readonly Ask[], rate: Rate): Promise<readonly TokenLease[]>;
  close(): Promise<void>;
}
