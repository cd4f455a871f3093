// SQL of the runs of productions at a WES service: the next attempt resumes a run, or it is ended.
import type { LeasedJob } from '../../../platform/lease-queue/queue-table.store.ts';
import type { Queryable } from '../../../platform/queryable.ts';

/** A run at a WES service. */
export interface RunElsewhere {
  /** Its id at the service. */
  readonly run: string;
  /** Digest of the workflow and all its inputs. */
  readonly work: string;
}

/** Stores the run for the next attempt of the production. @returns false if the lease is lost */
export async function noteRunElsewhere(
  db: Queryable,
  { id, fence }: LeasedJob,
  run: RunElsewhere,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE artifact.production SET run_elsewhere = $3 WHERE id = $1 AND fence = $2 AND status = 'running'`,
    [id, fence, JSON.stringify(run)],
  );
  return rowCount === 1;
}

/** Runs of productions that were ended without a worker, or whose end at the service was not confirmed. */
export async function listLeftRuns(
  db: Queryable,
  limit: number,
): Promise<{ readonly id: string; readonly run: string }[]> {
  const { rows } = await db.query<{ id: string; run: string }>(
    `SELECT id, run_elsewhere ->> 'run' AS run FROM artifact.production WHERE run_elsewhere IS NOT NULL AND status NOT IN ('queued', 'running') ORDER BY finished_at LIMIT $1`,
    [limit],
  );
  return rows;
}

export async function forgetRunElsewhere(db: Queryable, id: string): Promise<void> {
  await db.query(
    `UPDATE artifact.production SET run_elsewhere = NULL WHERE id = $1 AND status NOT IN ('queued', 'running')`,
    [id],
  );
}
