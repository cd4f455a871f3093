// SQL of what is remembered of triggers between runs.
import type { TriggerType } from '../../../platform/config/trigger-definition.ts';
import { instantSql, type Queryable } from '../../../platform/queryable.ts';
import type { RunStatus } from '../runs/run.ts';
import type { TriggerStatus } from './trigger-definition.ts';

export interface TriggerRow {
  readonly name: string;
  readonly type: TriggerType;
  readonly status: TriggerStatus;
  readonly lastRun: string | null;
  readonly lastResult: RunStatus | null;
}

/** What is remembered of the named triggers; those that have never been started are missing. */
export async function readTriggers(db: Queryable, names: readonly string[]): Promise<TriggerRow[]> {
  const { rows } = await db.query<TriggerRow>(
    `SELECT t.name, t.type, t.status, ${instantSql('t.last_run_at')} AS "lastRun", t.last_result AS "lastResult"
     FROM workflow.trigger t WHERE t.name = ANY($1::text[])`,
    [names],
  );
  return rows;
}
