// SQL of the processes that take runs, and of the configuration that each runs by.
import type { Queryable } from '../../../platform/queryable.ts';

/** Says that the process is there. Those that have been gone for an hour are forgotten. */
export async function showEngine(db: Queryable, owner: string, configuration: string): Promise<void> {
  await db.query(
    `WITH gone AS (DELETE FROM workflow.engine WHERE seen_at < clock_timestamp() - interval '1 hour' AND owner <> $1)
     INSERT INTO workflow.engine (owner, configuration, seen_at) VALUES ($1, $2, clock_timestamp())
     ON CONFLICT (owner) DO UPDATE SET seen_at = clock_timestamp()`,
    [owner, configuration],
  );
}

/** The process takes no more runs: others may take those of its configuration. */
export async function hideEngine(db: Queryable, owner: string): Promise<void> {
  await db.query('DELETE FROM workflow.engine WHERE owner = $1', [owner]);
}
