// A page of stale results (docs/reference/artifact.md#lists-of-stale-results).
import type { StaleResult } from './listed-marks.store.ts';
import type { Staleness } from './staleness.service.ts';

export interface StaleItem extends Omit<StaleResult, 'since'> {
  /** Null as of a time: it is not kept when that was found. */
  readonly since: string | null;
  readonly staleness: Staleness;
}

export interface StalePage {
  readonly items: readonly StaleItem[];
  readonly nextCursor: string | null;
  readonly isComplete: boolean;
  /** Until when all that has changed was looked at. */
  readonly upTo: string | null;
}
