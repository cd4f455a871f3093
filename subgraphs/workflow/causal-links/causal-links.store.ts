// SQL of causal chains: runs, and what fired them. Each statement answers for all asked nodes together.
import type { LinkQuestion } from '../../../platform/causal-links.ts';
import type { Projects } from '../../../platform/identity.ts';
import { instantSql, projectList, type Queryable } from '../../../platform/queryable.ts';
import { RUN_VISIBLE } from '../run-records/runs.store.ts';

type Bounds = Pick<LinkQuestion, 'limit' | 'asOf'>;

const UNTIL = `($3::timestamptz IS NULL OR r.queued_at <= $3::timestamptz)`;

export interface CausedRun {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly triggerName: string | null;
  readonly triggerType: string | null;
  readonly adapter: string | null;
  readonly project: string | null;
  readonly causedBy: string | null;
}

export async function listCausedRuns(
  db: Queryable,
  ids: readonly string[],
  { asOf }: Bounds,
  projects: Projects,
): Promise<CausedRun[]> {
  const { rows } = await db.query<CausedRun>(
    `SELECT r.id, ${instantSql('r.queued_at')} AS at, r.actor, r.trigger_name AS "triggerName", r.trigger_type AS "triggerType", r.adapter, r.project, r.caused_by AS "causedBy"
     FROM workflow.run r WHERE r.id = ANY($2::text[]) AND ${RUN_VISIBLE} AND ${UNTIL}`,
    [projectList(projects), ids, asOf],
  );
  return rows;
}

/** The first runs that each of the nodes fired. */
export async function listFired(
  db: Queryable,
  causes: readonly string[],
  { limit, asOf }: Bounds,
  projects: Projects,
): Promise<{ cause: string; runId: string }[]> {
  const { rows } = await db.query<{ cause: string; runId: string }>(
    `SELECT k.cause, fired.id AS "runId" FROM unnest($2::text[]) k(cause) CROSS JOIN LATERAL (
       SELECT r.id FROM workflow.run r WHERE r.caused_by = k.cause AND ${RUN_VISIBLE} AND ${UNTIL} ORDER BY r.queued_at, r.id LIMIT $4::int) fired`,
    [projectList(projects), causes, asOf, limit],
  );
  return rows;
}
