// SQL of what is stored of a trigger about its last run.
import type { Queryable } from '../../../platform/queryable.ts';
import type { StoredTrigger } from '../trigger-model/trigger-definition.ts';
import type { RunStatus } from './run.ts';

/**
 * Records the result of a trigger's run.
 * @param error why it failed, or took nothing; null if it did not
 * @param isFault whether an error is the trigger's: a run that somebody has cancelled says nothing about it
 */
export async function noteResult(
  db: Queryable,
  trigger: StoredTrigger,
  result: RunStatus,
  error: string | null,
  isFault = true,
): Promise<void> {
  await db.query(
    `INSERT INTO workflow.trigger AS t (name, type, definition, status, last_run_at, last_result, failures, last_error) VALUES ($1, $2, $3, $4, clock_timestamp(), $5, ($6::text IS NOT NULL AND $7)::int, $6)
     ON CONFLICT (name) DO UPDATE SET last_run_at = clock_timestamp(), last_result = excluded.last_result, last_error = CASE WHEN $7 OR t.failures = 0 THEN excluded.last_error ELSE t.last_error END,
       failures = CASE WHEN excluded.last_error IS NOT NULL THEN t.failures + excluded.failures ELSE 0 END`,
    [trigger.name, trigger.type, JSON.stringify(trigger.definition), trigger.status, result, error, isFault],
  );
}
