// An event of the log as the store reads it.
import type { HiddenSide } from './visible-events.ts';
export interface EventRow {
  readonly position: string;
  readonly id: string;
  readonly event_type: string;
  readonly entity_id: string | null;
  readonly entity_type: string | null;
  readonly actor: string;
  readonly timestamp: string;
  readonly schema_version: string;
  /** Of the request that wrote it; null where none did, and for events of before it was kept. */
  readonly request_id: string | null;
  /** The run or production on whose behalf it was written, as `run:<id>`; null for what was asked for directly. */
  readonly cause: string | null;
  /** JSON text, as it was written. */
  readonly context: string | null;
  readonly payload: string;
  /** Which state of a move is on a side that the reader does not see; the payload lacks it already. */
  readonly hidden: HiddenSide;
}
