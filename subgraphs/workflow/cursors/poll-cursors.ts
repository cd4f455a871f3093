// The workflow subgraph's interface to poll cursors, which are entities of the metadata
// (docs/reference/workflow.md#poll-cursor).
import type { Caller } from '../../../platform/identity.ts';

export interface PollCursors {
  /**
   * The last change that each polling trigger has processed, by trigger name; absent for triggers that have
   * not polled yet.
   */
  lastSeen(triggers: readonly string[], caller: Caller): Promise<ReadonlyMap<string, string>>;
}
