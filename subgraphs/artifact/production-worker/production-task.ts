// A production as its executor sees it, and what comes of it.
import type { Caller } from '../../../platform/identity.ts';
import type { RunElsewhere } from '../productions/runs-elsewhere.store.ts';
import type { PlanNode } from '../resolution/plan.ts';

/** One production under way, as the executor sees it. */
export interface ProductionTask {
  readonly id: string;
  readonly fence: string;
  readonly entityType: string;
  readonly criteria: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly requestedRule: string | null;
  /** The requester: what they may not see is not used, what they may not write is not made. */
  readonly requester: Caller;
  /** The run that an earlier attempt has begun elsewhere. */
  readonly runElsewhere: RunElsewhere | null;
  readonly stop: AbortSignal;
  readonly onLog: (tail: string) => void;
  /** Makes what is required before, and comes back when it is there. */
  readonly require: (node: PlanNode) => Promise<void>;
  /** @throws where the lease is lost, or the production was cancelled */
  readonly stillOurs: () => Promise<void>;
}

export interface Produced {
  readonly entity_type: string;
  readonly entity_id: string;
}
