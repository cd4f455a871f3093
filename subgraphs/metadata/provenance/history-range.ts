// Which part of a history is asked for.
import type { FromOn } from '../reading/moment-cursor.ts';
import type { Moment } from '../reading/timeline.ts';
export interface HistoryBounds {
  readonly eventTypes: readonly string[] | null;
  readonly limit: number;
  readonly offset: number;
  /** Where an earlier page ended; null for the beginning. It carries its moment with it. */
  readonly cursor: string | null;
  /** Where the history ends; null for the present. */
  readonly at: Moment;
}

/** The same as the store is asked: with one event more than is shown. */
export type HistoryRange = Omit<HistoryBounds, 'cursor'> & FromOn;

/** Events that a request wrote, after a position. */
export interface RequestRange {
  readonly requestId: string;
  readonly since: string;
  /** Null for the present. */
  readonly until: string | null;
  readonly limit: number;
  readonly after: string;
}
