// SQL of webhook deliveries: an equal body inside the window belongs to the run that it started.
import type { Queryable } from '../../../platform/queryable.ts';

/**
 * Takes the digest for the run where nobody has it, or had it longer ago than the window; else answers whose it is. Two
 * that come at once wait for each other here, until the first one's transaction ends.
 */
export async function takeDigest(db: Queryable, trigger: string, digest: Buffer, runId: string, windowSeconds: number): Promise<string> {
  const { rowCount } = await db.query(
    `INSERT INTO workflow.delivery AS d (trigger_name, digest, run_id, accepted_at) VALUES ($1, $2, $3, clock_timestamp())
     ON CONFLICT (trigger_name, digest) DO UPDATE SET run_id = excluded.run_id, accepted_at = clock_timestamp()
       WHERE d.accepted_at <= clock_timestamp() - $4 * interval '1 second'
     RETURNING run_id`,
    [trigger, digest, runId, windowSeconds],
  );
  if (rowCount === 1) return runId;
  const { rows } = await db.query<{ runId: string }>('SELECT run_id AS "runId" FROM workflow.delivery WHERE trigger_name = $1 AND digest = $2', [trigger, digest]);
  return rows[0]?.runId ?? runId;
}
