// SQL that says what is final of the changes of a component.
import type { Queryable } from '../queryable.ts';
import { instantSql } from '../queryable.ts';

export interface Finality {
  /** Since when past states are kept; null: from the beginning. */
  readonly begins: string | null;
  /** Whether no change that is yet to be committed can be at or before the instant. */
  readonly isSettled: boolean;
  readonly isFuture: boolean;
}

/** The instant if it has passed, or else the present one; that for null, too. */
export async function passedInstant(db: Queryable, instant: string | null): Promise<string> {
  const { rows } = await db.query<{ at: string }>(
    `SELECT ${instantSql('least($1::timestamptz, clock_timestamp())')} AS at`,
    [instant],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the database told no time');
  return row.at;
}

export type PastSchema = 'workflow' | 'artifact';

/** The locks of `change_time()`. */
const LOCKS: Readonly<Record<PastSchema, string>> = {
  workflow: '4847307193528363',
  artifact: '4847307193528364',
};

/** The times of changes strictly increase, so a later one makes an instant final. */
export async function finalityOf(db: Queryable, schema: PastSchema, instant: string): Promise<Finality> {
  const { rows } = await db.query<Finality>(
    `SELECT CASE WHEN b.at > '-infinity' THEN ${instantSql('b.at')} END AS begins, $1::timestamptz > clock_timestamp() AS "isFuture",
       EXISTS (SELECT FROM unnest($2::text[]) t(name) WHERE EXISTS (SELECT FROM ${schema}.past_state s WHERE s.relation = t.name AND s.until > $1::timestamptz)) AS "isSettled"
     FROM (SELECT greatest(p.at, ${ROWS_SINCE[schema]}) AS at FROM ${schema}.past_begins p) b`,
    [instant, KEPT[schema]],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`${schema}.past_begins has no row`);
  return row;
}

/** Since when the rows themselves are there: runs are deleted, with what they were. */
const ROWS_SINCE: Readonly<Record<PastSchema, string>> = {
  workflow: `(SELECT k.at FROM workflow.kept_since k WHERE k.what = 'runs')`,
  artifact: 'NULL::timestamptz',
};

/** The tables whose changes are kept. */
const KEPT: Readonly<Record<PastSchema, readonly string[]>> = {
  workflow: ['run', 'trigger', 'trigger_pause'],
  artifact: ['rule', 'production', 'production_waiter', 'not_reusable', 'entity_identity', 'image_now'],
};

/** Resolves when the transaction that is committing changes has ended: takes its lock in shared mode, and releases it. */
export async function changesDone(db: Queryable, schema: PastSchema): Promise<void> {
  await db.query(`SELECT pg_advisory_xact_lock_shared(${LOCKS[schema]})`);
}

/** Deletes at most so many states that are older than the days; returns their number. */
export async function forgetPastStates(
  db: Queryable,
  schema: PastSchema,
  days: number,
  most: number,
): Promise<number> {
  const { rows } = await db.query<{ gone: number }>(`SELECT ${schema}.forget_past_states($1, $2) AS gone`, [
    days,
    most,
  ]);
  return rows[0]?.gone ?? 0;
}
