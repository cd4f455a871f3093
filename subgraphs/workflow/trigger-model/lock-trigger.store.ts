// SQL that makes decisions about one trigger wait for each other.
import type { Queryable } from '../../../platform/queryable.ts';

/** Serialises decisions about a trigger. */
export async function lockTrigger(db: Queryable, trigger: string): Promise<void> {
  await db.query("SELECT pg_advisory_xact_lock(hashtext('workflow.trigger'), hashtext($1))", [trigger]);
}
