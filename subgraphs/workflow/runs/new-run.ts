// Makes the run of a trigger: what is put into the queue, whatever fired it.
import { randomUUID } from 'node:crypto';
import type { NewRun } from './run-queue.store.ts';
import { actionDefinition, type ConfiguredTrigger } from '../triggers/trigger-definition.ts';

export const WORKFLOW_ACTOR = 'service:workflow';

export interface Firing {
  /** What fired it, as the run log shows it (contract 3). */
  readonly cause: Readonly<Record<string, unknown>>;
  readonly actor?: string;
  readonly project?: string | null;
  /** The trigger's action with its bindings filled in; the configured one where there are none. */
  readonly action?: Readonly<Record<string, unknown>>;
}

export function runOf(trigger: ConfiguredTrigger, { cause, actor = WORKFLOW_ACTOR, project = null, action }: Firing): NewRun {
  return {
    id: randomUUID(), triggerName: trigger.name, triggerType: trigger.type,
    adapter: trigger.action.type === 'ingest' ? trigger.action.adapter : null,
    action: action ?? actionDefinition(trigger.action), cause, actor, project, configuration: trigger.configuration ?? null,
  };
}
