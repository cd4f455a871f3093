// SQL of the stored state of triggers.
import type { TriggerType } from '../../../platform/config/trigger-definition.ts';
import { instantSql, type Queryable } from '../../../platform/queryable.ts';
import { type PastTable, rowsAt } from '../../../platform/past/past-rows.ts';
import type { RunStatus } from '../run-records/run.ts';
import type { StoredTrigger, TriggerDefinition, TriggerStatus } from '../trigger-model/trigger-definition.ts';

export interface TriggerRow {
  readonly name: string;
  /** Null, as all but the pause, of one that has never been started. */
  readonly type: TriggerType | null;
  readonly status: TriggerStatus | null;
  readonly lastRun: string | null;
  readonly lastResult: RunStatus | null;
  readonly problem: string | null;
  /** Runs that failed since one succeeded, and why the last of them did. */
  readonly failures: number | null;
  readonly lastError: string | null;
  readonly pausedAt: string | null;
  readonly pausedBy: string | null;
  readonly reason: string | null;
}

const COLUMNS = `t.type, t.status, ${instantSql('t.last_run_at')} AS "lastRun", t.last_result AS "lastResult", t.problem, t.failures, t.last_error AS "lastError",
       ${instantSql('p.paused_at')} AS "pausedAt", p.paused_by AS "pausedBy", p.reason`;

/** A trigger as it was, with its definition of then. */
export interface PastTriggerRow extends TriggerRow {
  readonly type: TriggerType;
  readonly definition: TriggerDefinition;
}

const TRIGGER: PastTable = { schema: 'workflow', name: 'trigger', key: ['name'] };
const PAUSE: PastTable = { schema: 'workflow', name: 'trigger_pause', key: ['trigger_name'] };
/** Of the named ones only their own changes are read. */
const pastTriggers = (keys?: string): string =>
  `SELECT t.name, t.definition, ${COLUMNS} FROM ${rowsAt(TRIGGER, '$1::timestamptz', keys)} t
     LEFT JOIN ${rowsAt(PAUSE, '$1::timestamptz', keys)} p ON p.trigger_name = t.name AND p.resumed_at IS NULL
     WHERE t.is_configured ORDER BY t.name COLLATE "C"`;

/** The triggers that were configured at the instant, by name; of these only the named ones, unless null. */
export async function readPastTriggers(
  db: Queryable,
  asOf: string,
  names: readonly string[] | null,
): Promise<PastTriggerRow[]> {
  const { rows } = await (names === null
    ? db.query<PastTriggerRow>(pastTriggers(), [asOf])
    : db.query<PastTriggerRow>(pastTriggers('$2::text[]'), [asOf, names]));
  return rows;
}

/** The state of the named triggers, and their pauses that last. */
export async function readTriggers(db: Queryable, names: readonly string[]): Promise<TriggerRow[]> {
  const { rows } = await db.query<TriggerRow>(
    `SELECT n.name, ${COLUMNS}
     FROM unnest($1::text[]) n(name)
     LEFT JOIN workflow.trigger t ON t.name = n.name
     LEFT JOIN workflow.trigger_pause p ON p.trigger_name = n.name AND p.resumed_at IS NULL`,
    [names],
  );
  return rows;
}

/**
 * Records the configured triggers, and that the others are not. If a definition is new or has changed, `updated_at` is
 * set.
 */
export async function rememberTriggers(db: Queryable, triggers: readonly StoredTrigger[]): Promise<void> {
  await db.query(
    `WITH gone AS (UPDATE workflow.trigger SET is_configured = false WHERE is_configured AND NOT EXISTS (
       SELECT FROM jsonb_array_elements($1::jsonb) c WHERE c ->> 'name' = trigger.name))
     INSERT INTO workflow.trigger (name, type, definition, status, updated_at)
     SELECT t.name, t.type, t.definition, t.status, clock_timestamp() FROM jsonb_to_recordset($1::jsonb) AS t(name text, type text, definition jsonb, status text)
     ON CONFLICT (name) DO UPDATE SET type = excluded.type, definition = excluded.definition, status = excluded.status, problem = NULL, problem_since = NULL, failures = 0, last_error = NULL, updated_at = clock_timestamp()
     WHERE (workflow.trigger.type, workflow.trigger.definition, workflow.trigger.status) IS DISTINCT FROM (excluded.type, excluded.definition, excluded.status)`,
    [JSON.stringify(triggers)],
  );
  await db.query(
    'UPDATE workflow.trigger SET is_configured = true WHERE name = ANY($1::text[]) AND NOT is_configured',
    [triggers.map(({ name }) => name)],
  );
}

/** Records a trigger's problem, or its end (null); returns whether it changed. */
export async function noteProblem(db: Queryable, name: string, problem: string | null): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE workflow.trigger SET problem = $2, problem_since = CASE WHEN $2::text IS NOT NULL THEN clock_timestamp() END WHERE name = $1 AND problem IS DISTINCT FROM $2`,
    [name, problem],
  );
  return rowCount === 1;
}
