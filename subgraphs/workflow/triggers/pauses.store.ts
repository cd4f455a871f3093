// SQL of pauses of triggers. A trigger is paused while its row has no time of resumption.
import type { Queryable } from '../../../platform/queryable.ts';

/** Pauses a trigger; a paused one keeps its pause. */
export async function insertPause(
  db: Queryable,
  trigger: string,
  actor: string,
  reason: string | null,
): Promise<void> {
  await db.query(
    `INSERT INTO workflow.trigger_pause AS p (trigger_name, paused_by, reason) VALUES ($1, $2, $3)
     ON CONFLICT (trigger_name) DO UPDATE SET paused_at = clock_timestamp(), paused_by = excluded.paused_by, reason = excluded.reason, resumed_at = NULL
     WHERE p.resumed_at IS NOT NULL`,
    [trigger, actor, reason],
  );
}

/** Ends the pause of a trigger, if it is paused. */
export async function endPause(db: Queryable, trigger: string): Promise<void> {
  await db.query(
    'UPDATE workflow.trigger_pause SET resumed_at = clock_timestamp() WHERE trigger_name = $1 AND resumed_at IS NULL',
    [trigger],
  );
}

/** The names among these of triggers that are paused. */
export async function pausedAmong(db: Queryable, triggers: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ name: string }>(
    'SELECT trigger_name AS name FROM workflow.trigger_pause WHERE trigger_name = ANY($1::text[]) AND resumed_at IS NULL',
    [triggers],
  );
  return new Set(rows.map(({ name }) => name));
}

export const isPaused = async (db: Queryable, trigger: string): Promise<boolean> =>
  (await pausedAmong(db, [trigger])).has(trigger);
