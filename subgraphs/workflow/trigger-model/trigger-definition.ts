// A configured trigger for callers: with the specified names, without secrets
// (docs/reference/workflow.md#trigger-definition).
import type { Config } from '../../../platform/config/load-config.ts';
import type { TriggerType } from '../../../platform/config/trigger-definition.ts';

type WithoutOrigin<T> = T extends unknown ? Omit<T, 'origin'> : never;

/** A configured trigger, without its location in the file, but with its configuration's hash. */
export type ConfiguredTrigger = WithoutOrigin<Config['workflow']['triggers'][number]> & {
  readonly configuration?: string;
};
type TriggerAction = ConfiguredTrigger['action'];

export type TriggerStatus = 'scheduled' | 'listening' | 'polling' | 'idle' | 'degraded' | 'paused';

/** docs/reference/workflow.md#trigger-status. */
export const STATUS_OF_TYPE: Readonly<Record<TriggerType, TriggerStatus>> = {
  schedule: 'scheduled',
  manual: 'idle',
  internal_event: 'listening',
  webhook: 'listening',
  metadata_poll: 'polling',
  event: 'polling',
};

/** A trigger's definition with the specified names. */
export type TriggerDefinition = Readonly<Record<string, unknown>>;

const given = (key: string, value: unknown): TriggerDefinition =>
  value === undefined ? {} : { [key]: value };

/** An action with the specified names, as a run also stores it. */
export function actionDefinition(action: TriggerAction): TriggerDefinition {
  switch (action.type) {
    case 'ingest':
      return { type: action.type, adapter: action.adapter, incremental: action.incremental };
    case 'resolve':
      return {
        type: action.type,
        entity_type: action.entityType,
        criteria: action.criteria,
        parameters: action.parameters,
        ...(action.reuse === 'fresh' ? { reuse: action.reuse } : {}),
      };
    default:
      return action satisfies never;
  }
}

function conditionOf(trigger: ConfiguredTrigger): TriggerDefinition {
  switch (trigger.type) {
    case 'schedule':
      return {
        schedule: trigger.schedule,
        timezone: trigger.timezone,
        ...(trigger.catchUp === 'one' ? {} : { catch_up: trigger.catchUp }),
      };
    case 'manual':
      return {};
    case 'internal_event':
      return { event: trigger.event };
    case 'webhook':
      return {
        // its secrets are omitted, and so are the names of their environment variables
        path: trigger.path,
        signature: trigger.signature,
        ...given('when', trigger.when),
        idempotency_window_seconds: trigger.idempotencyWindowSeconds,
      };
    case 'metadata_poll':
      return {
        poll: {
          entity_type: trigger.poll.entityType,
          ...given('filter', trigger.poll.filter),
          interval_seconds: trigger.poll.intervalSeconds,
          lookback_seconds: trigger.poll.lookbackSeconds,
        },
      };
    case 'event':
      return {
        event: trigger.event,
        ...given('entity_type', trigger.entityType),
        ...given('rule', trigger.rule),
        ...given('filter', trigger.filter),
        interval_seconds: trigger.intervalSeconds,
        lookback_seconds: trigger.lookbackSeconds,
      };
    default:
      return trigger satisfies never;
  }
}

export interface RetryPolicy {
  readonly attempts: number;
  readonly backoff: number;
  readonly on: 'interrupted' | 'failed';
}

/** The retry policy of runs without a trigger. */
export const USUAL_RETRY: RetryPolicy = { attempts: 3, backoff: 5, on: 'interrupted' };

/**
 * A schedule's next tick repeats what was interrupted (docs/reference/workflow.md#retries), unless it is
 * configured otherwise.
 */
export const retryOf = ({ type, retry }: Pick<ConfiguredTrigger, 'type' | 'retry'>): RetryPolicy =>
  retry ?? (type === 'schedule' ? { ...USUAL_RETRY, attempts: 1 } : USUAL_RETRY);

/** The complete definition, with defaults. */
export function triggerDefinition(trigger: ConfiguredTrigger): TriggerDefinition {
  const { name, type, project, onSuccess, onFailure } = trigger;
  return {
    name,
    type,
    ...given('project', project),
    ...given('retry', trigger.retry),
    ...conditionOf(trigger),
    action: actionDefinition(trigger.action),
    ...given('on_success', onSuccess),
    ...(onFailure === undefined ? {} : { on_failure: { emit: onFailure } }),
  };
}

/** What is stored of a configured trigger. */
export interface StoredTrigger {
  readonly name: string;
  readonly type: TriggerType;
  readonly definition: unknown;
  readonly status: TriggerStatus;
}

export const storedTrigger = (trigger: ConfiguredTrigger): StoredTrigger => ({
  name: trigger.name,
  type: trigger.type,
  definition: triggerDefinition(trigger),
  status: STATUS_OF_TYPE[trigger.type],
});

/** A trigger has a problem from so many failed runs in a row on. */
export const FAILING_AFTER = 3;
