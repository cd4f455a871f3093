// Creates the run of a trigger for the queue, with its rights.
import { randomUUID } from 'node:crypto';
import { type Acting, actingFor, asConfigured, type Asking } from '../../../platform/acting.ts';
import type { NewRun } from './run-queue.store.ts';
import { actionDefinition, type ConfiguredTrigger } from '../trigger-model/trigger-definition.ts';

const WORKFLOW_ACTOR = 'service:workflow';

/** The platform's own rights, in the trigger's project if it has one. */
export const configuredActing = ({ project }: Pick<ConfiguredTrigger, 'project'>): Acting =>
  asConfigured(project === undefined ? '*' : [project]);

/** For a manual run, or one that follows such a run: the maximum of its rights. */
export const actingBy = (trigger: Pick<ConfiguredTrigger, 'project'>, by: Asking): Acting =>
  actingFor(by, configuredActing(trigger).projects);

/** A manual run with reduced rights does not count as the trigger's result. */
export const actsAsConfigured = (
  trigger: ConfiguredTrigger,
  { acting }: { readonly acting: Acting },
): boolean => acting.credential === null || projectsText(acting) === projectsText(configuredActing(trigger));
const projectsText = ({ projects }: Acting): string => JSON.stringify(projects);

export interface Firing {
  /** Its cause, as the run log shows it (docs/reference/workflow.md#run-cause). */
  readonly cause: Readonly<Record<string, unknown>>;
  /** The same as the key of a node of causal chains. */
  readonly causedBy: string;
  /** The request that fires it; absent where the platform does by itself. */
  readonly requestId?: string;
  readonly actor?: string;
  /** The configured rights if absent. */
  readonly acting?: Acting;
  readonly deliveryId?: string;
  /** The trigger's action with its bindings filled in; the configured one if absent. */
  readonly action?: Readonly<Record<string, unknown>>;
}

export function runOf(
  trigger: ConfiguredTrigger,
  {
    cause,
    causedBy,
    requestId,
    actor = WORKFLOW_ACTOR,
    acting = configuredActing(trigger),
    deliveryId,
    action,
  }: Firing,
): NewRun {
  return {
    id: randomUUID(),
    triggerName: trigger.name,
    triggerType: trigger.type,
    adapter: trigger.action.type === 'ingest' ? trigger.action.adapter : null,
    action: action ?? actionDefinition(trigger.action),
    cause,
    causedBy,
    requestId: requestId ?? null,
    actor,
    acting,
    ...(deliveryId === undefined ? {} : { deliveryId }),
    configuration: trigger.configuration ?? null,
  };
}
