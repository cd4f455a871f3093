// A production for its executor, and its result.
import type { Caller } from '../../../platform/identity.ts';
import type { RunElsewhere } from '../productions/runs-elsewhere.store.ts';
import type { Pin } from '../planning/pinned-plan.ts';
import type { PlanNode, Reuse } from '../planning/plan.ts';

/** One production in progress, as the executor sees it. */
export interface ProductionTask {
  readonly id: string;
  readonly fence: string;
  readonly entityType: string;
  readonly criteria: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly requestedRule: string | null;
  /** Which results may be reused, as those who wait for it want now. */
  readonly reuse: () => Promise<Reuse>;
  /**
   * The requester: entities that they may not see are not used, and ones that they may not write are not
   * made.
   */
  readonly requester: Caller;
  /** The remote run that an earlier attempt has begun. */
  readonly runElsewhere: RunElsewhere | null;
  readonly stop: AbortSignal;
  readonly onLog: (tail: string) => void;
  /** Produces the requirements, and resolves when they exist. */
  readonly require: (node: PlanNode, pin: Pin | null) => Promise<void>;
  /** @throws if the lease is lost, or the production was cancelled */
  readonly stillOurs: () => Promise<void>;
}

export interface Produced {
  readonly entity_type: string;
  readonly entity_id: string;
}
