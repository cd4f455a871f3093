// SQL of the processes that take runs, with their configuration hashes.
import type { Queryable } from '../../../platform/queryable.ts';

/** Registers the process. Entries without an update for an hour are deleted. */
export async function showEngine(db: Queryable, owner: string, configuration: string): Promise<void> {
  await db.query(
    `WITH gone AS (DELETE FROM workflow.engine WHERE seen_at < clock_timestamp() - interval '1 hour' AND owner <> $1)
     INSERT INTO workflow.engine (owner, configuration, seen_at) VALUES ($1, $2, clock_timestamp())
     ON CONFLICT (owner) DO UPDATE SET seen_at = clock_timestamp()`,
    [owner, configuration],
  );
}

/** Unregisters the process: others may take runs of its configuration. */
export async function hideEngine(db: Queryable, owner: string): Promise<void> {
  await db.query('DELETE FROM workflow.engine WHERE owner = $1', [owner]);
}
