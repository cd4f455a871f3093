// A run in the store and in the SDL (docs/reference/workflow.md#run-log-entry,
// docs/reference/workflow.md#run-states).
import type { TriggerType } from '../../../platform/config/trigger-definition.ts';
import type { JsonValue } from '../../../platform/json.ts';

export type RunStatus = 'queued' | 'running' | 'success' | 'partial_success' | 'failed' | 'skipped';

/** The stored form: `run.unresolved` is a list of these. */
export interface Unresolved {
  readonly entity_id: string;
  readonly reason: string;
}

export interface Run {
  readonly runId: string;
  readonly triggerName: string | null;
  readonly triggerType: TriggerType | null;
  readonly adapter: string | null;
  readonly action: JsonValue;
  readonly cause: JsonValue;
  readonly causedBy: string | null;
  readonly requestId: string | null;
  readonly status: RunStatus;
  readonly queuedAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly attempt: number;
  readonly recordsFetched: number;
  readonly recordsCreated: number;
  readonly recordsUpdated: number;
  readonly recordsSkipped: number;
  readonly recordsFailed: number;
  readonly errors: readonly JsonValue[];
  readonly unresolved: readonly Unresolved[];
  readonly produced: JsonValue;
  readonly actor: string;
  readonly project: string | null;
  /** The instant as of which it was read; null for the present. */
  readonly asOf: string | null;
}
