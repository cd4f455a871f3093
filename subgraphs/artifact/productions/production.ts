// A production in the store and in the SDL (docs/reference/artifact.md#productions).
import type { JsonValue } from '../../../platform/json.ts';

export type ProductionStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';

export interface Production {
  readonly id: string;
  readonly entityType: string;
  readonly criteria: JsonValue;
  readonly rule: string | null;
  readonly status: ProductionStatus;
  readonly entityIds: readonly string[];
  readonly error: JsonValue;
  readonly requestedBy: string;
  readonly requestId: string | null;
  readonly planHash: string | null;
  readonly requestedAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly parameters: JsonValue;
  readonly inputs: JsonValue;
  /** Every entity that it declares: `{entity_type, entity_id}`. */
  readonly produced: JsonValue;
  readonly runner: string | null;
  /** Its input files at that time; null for productions from before they were recorded. */
  readonly inputFiles: JsonValue;
  /** The instant as of which it was read; null for the present. */
  readonly asOf: string | null;
}
