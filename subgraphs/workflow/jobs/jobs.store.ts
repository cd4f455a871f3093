// Our own SQL on Agenda's jobs: inserting them, and releasing those of a process.
import type { Queryable } from '../../../platform/queryable.ts';

/**
 * Ensures that each key has a job that is due now; a key that no process has registered for a day loses its
 * job.
 */
export async function keepJobs(db: Queryable, name: string, keys: readonly string[]): Promise<void> {
  await db.query(
    `INSERT INTO workflow.agenda_jobs (name, data, next_run_at) SELECT $1, jsonb_build_object('key', key), clock_timestamp() FROM unnest($2::text[]) AS key
     ON CONFLICT (name, (data->>'key')) DO UPDATE SET next_run_at = clock_timestamp(), updated_at = clock_timestamp()`,
    [name, keys],
  );
  await db.query(
    `DELETE FROM workflow.agenda_jobs WHERE name = $1 AND data->>'key' <> ALL($2::text[]) AND updated_at < clock_timestamp() - interval '1 day'`,
    [name, keys],
  );
}

/** Releases the process's jobs, so that others need not wait for its locks to expire. */
export async function releaseJobs(db: Queryable, owner: string): Promise<void> {
  await db.query(
    'UPDATE workflow.agenda_jobs SET locked_at = NULL, next_run_at = coalesce(next_run_at, clock_timestamp()) WHERE last_modified_by = $1 AND locked_at IS NOT NULL',
    [owner],
  );
}
