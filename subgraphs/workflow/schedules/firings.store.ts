// SQL of firings: rows that prevent firing twice.
import type { Queryable } from '../../../platform/queryable.ts';

/** What a poll has found (docs/reference/metadata.md#why); a tick has no cause. */
export interface FoundBy {
  /** The event by which the entity changed, or the stale result. */
  readonly causedBy: string;
  /** The change after which the cycle has read. */
  readonly cursor: string;
  /** Keys of what that was caused by, where it is kept nowhere else. */
  readonly causes?: readonly string[];
}

/** False if it has already fired. Concurrent calls wait until the first one's transaction ends. */
export async function takeFiring(
  db: Queryable,
  trigger: string,
  key: string,
  runId: string,
  found: FoundBy | null = null,
): Promise<boolean> {
  const { rowCount } = await db.query(
    'INSERT INTO workflow.firing (trigger_name, firing_key, run_id, fired_at, caused_by, cursor, causes) VALUES ($1, $2, $3, clock_timestamp(), $4, $5, $6) ON CONFLICT DO NOTHING',
    [trigger, key, runId, found?.causedBy ?? null, found?.cursor ?? null, found?.causes ?? null],
  );
  return rowCount === 1;
}

export interface Baseline {
  /** The database's time. */
  readonly now: Date;
  /** Since when the trigger's definition is unchanged, and it is not paused any more. */
  readonly since: Date;
  /** The last tick that has fired; firings of a polling trigger with this name have other keys. */
  readonly last: string | null;
}

/** @throws if the trigger has not been recorded */
export async function readBaseline(db: Queryable, trigger: string): Promise<Baseline> {
  const {
    rows: [row],
  } = await db.query<Baseline>(
    `SELECT clock_timestamp() AS now, greatest(t.updated_at, p.resumed_at) AS since, (SELECT max(f.firing_key) FROM workflow.firing f WHERE f.trigger_name = t.name AND f.firing_key ~ '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$') AS last
     FROM workflow.trigger t LEFT JOIN workflow.trigger_pause p ON p.trigger_name = t.name WHERE t.name = $1`,
    [trigger],
  );
  if (!row) throw new Error(`the trigger ${trigger} has no stored state`);
  return row;
}
