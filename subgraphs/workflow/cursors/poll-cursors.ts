// Poll cursors are entities of the metadata (docs/reference/workflow.md#poll-cursor): this is how the
// workflow subgraph asks for them.
import type { Caller } from '../../../platform/identity.ts';

export interface PollCursors {
  /**
   * The last change that each polling trigger has seen, by trigger name; triggers that have not polled yet
   * are missing.
   */
  lastSeen(triggers: readonly string[], caller: Caller): Promise<ReadonlyMap<string, string>>;
}
