// A page of the log, and where it begins.
import type { LogMark } from './feed-token.ts';
import type { FeedEvent } from './feed-event.ts';
export interface FeedSelection {
  readonly types: readonly string[] | null;
  readonly entityTypes: readonly string[] | null;
  readonly limit: number;
}

export interface FeedPage {
  readonly events: readonly FeedEvent[];
  /** Where the next page begins: everything up to here has been looked at. */
  readonly next: FeedPlace;
  /** Whether that is the end of the log, as it was. */
  readonly isEnd: boolean;
}

/** How far a reader has looked, and the last event there. */
export interface FeedPlace {
  readonly position: string;
  readonly mark: LogMark;
}
