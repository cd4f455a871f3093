// What triggers that look at intervals have in common: for changed entities, and for results that became stale.
import type { BoundEntity } from '../../../platform/cel/bindings.ts';
import type { Execute, ExecuteAs } from '../deps.ts';
import type { NewObservation } from '../observation-log/observation.ts';
import type { FoundBy } from '../schedules/firings.store.ts';
import type { ConfiguredTrigger } from '../trigger-model/trigger-definition.ts';

export type MetadataPoll = Extract<ConfiguredTrigger, { type: 'metadata_poll' }>;
export type StaleTrigger = Extract<ConfiguredTrigger, { type: 'event' }>;
export type PollTrigger = MetadataPoll | StaleTrigger;

/** A production by what was asked for. */
export interface MadeBy {
  readonly entityType: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What a cycle has found, before its filter. */
export interface PollFinding {
  readonly entity: BoundEntity;
  /** How it was made, of a stale result. */
  readonly madeBy?: MadeBy | null;
  /** Where the next cycle begins if this is the last. */
  readonly at: string;
  /** Of those with the same, one cycle fires the first. */
  readonly once: string;
  readonly firingKey: string;
  /** As the run log shows it. */
  readonly cause: Readonly<Record<string, unknown>>;
  /** The same as the key of a node of causal chains. */
  readonly causedBy: string;
  readonly foundBy: FoundBy;
  /** Its project is that whose members may know of it. */
  readonly observed: Pick<NewObservation, 'kind' | 'subject' | 'project'>;
  /** The project that a resolve acts in, whose members see the run; null for all of the trigger's. */
  readonly actsIn: string | null;
}

/** What has come about after a time, in its order. */
export type Look<Trigger extends PollTrigger> = (
  trigger: Trigger,
  execute: Execute,
  after: string,
  signal: AbortSignal,
  executeAs: ExecuteAs,
) => AsyncGenerator<PollFinding>;

export const isPolling = (trigger: ConfiguredTrigger): trigger is PollTrigger =>
  trigger.type === 'metadata_poll' || trigger.type === 'event';

export const filterOf = (trigger: PollTrigger): string | undefined =>
  trigger.type === 'event' ? trigger.filter : trigger.poll.filter;
export const lookbackOf = (trigger: PollTrigger): number =>
  trigger.type === 'event' ? trigger.lookbackSeconds : trigger.poll.lookbackSeconds;
export const intervalOf = (trigger: PollTrigger): number =>
  trigger.type === 'event' ? trigger.intervalSeconds : trigger.poll.intervalSeconds;
