// The workflow subgraph's interface to poll cursors, which are entities of the metadata
// (docs/reference/workflow.md#poll-cursor).
import type { Caller } from '../../../platform/identity.ts';

export interface PollCursors {
  /**
   * The last change that each polling trigger has processed, by trigger name; absent for triggers that have
   * not polled yet.
   * @param asOf the instant as of which; null for the present
   */
  lastSeen(
    triggers: readonly string[],
    caller: Caller,
    asOf: string | null,
  ): Promise<ReadonlyMap<string, string>>;
}
