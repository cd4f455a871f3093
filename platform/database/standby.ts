// A standby: a copy that follows its primary and takes no writes, until it is promoted.
import type { Queryable } from '../queryable.ts';

export async function isStandby(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ is: boolean }>('SELECT pg_is_in_recovery() AS is');
  return rows[0]?.is === true;
}
