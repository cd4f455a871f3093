// An event of the log, as a reader of the feed sees it.
import type { HiddenSide } from '../provenance/visible-events.ts';
export interface FeedEvent {
  readonly position: string;
  readonly id: string;
  readonly eventType: string;
  /** Null, like the type, for events of the whole instance. */
  readonly entityId: string | null;
  readonly entityType: string | null;
  readonly actor: string;
  readonly timestamp: string;
  readonly schemaVersion: string;
  /** Null where no request wrote it. */
  readonly requestId: string | null;
  /** Null for what was asked for directly. */
  readonly cause: string | null;
  readonly context: unknown;
  readonly payload: unknown;
  /** Which state of a move its reader does not see. */
  readonly hidden: HiddenSide;
}
