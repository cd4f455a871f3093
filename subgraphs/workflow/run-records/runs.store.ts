// SQL of the run log.
import type { QueryConfig } from 'pg';
import type { Projects } from '../../../platform/identity.ts';
import type { PageBounds } from '../../../platform/paging.ts';
import { listed } from '../../../platform/prepared.ts';
import { instantSql, projectList, type Queryable } from '../../../platform/queryable.ts';
import type { Run, RunStatus } from './run.ts';

export interface RunQuery {
  readonly status: RunStatus | null;
  readonly limit: number;
  readonly offset: number;
  /** The row before the page: its `queuedAt` and `runId`. */
  readonly after: readonly (string | number)[] | null;
}

const COLUMNS = `r.id AS "runId", r.trigger_name AS "triggerName", r.trigger_type AS "triggerType", r.adapter, r.action, r.cause, r.caused_by AS "causedBy", r.request_id::text AS "requestId", r.status,
  ${instantSql('r.queued_at')} AS "queuedAt", ${instantSql('r.started_at')} AS "startedAt", ${instantSql('r.finished_at')} AS "finishedAt",
  r.attempt, r.records_fetched AS "recordsFetched", r.records_created AS "recordsCreated", r.records_updated AS "recordsUpdated",
  r.records_skipped AS "recordsSkipped", r.records_failed AS "recordsFailed",
  r.errors, r.unresolved, r.produced, r.actor, r.project`;

/**
 * Runs that are visible in the projects ($1; null: all of them): those that acted in no other
 * (docs/reference/workflow.md#who-sees-a-run, docs/decisions/0060).
 */
export const RUN_VISIBLE = `($1::text[] IS NULL OR r.acts_projects <@ $1::text[])`;
const IN_STATE = `($2::text IS NULL OR r.status = $2::text)`;
const NEWEST_FIRST = `ORDER BY r.queued_at DESC, r.id DESC`;
const AFTER = `($3::timestamptz IS NULL OR (r.queued_at, r.id) < ($3::timestamptz, $4::text))`;

const pageValues = (projects: Projects, { status, after, limit, offset }: RunQuery): unknown[] => [
  projectList(projects),
  status,
  after?.[0] ?? null,
  after?.[1] ?? null,
  limit,
  offset,
];

export async function findRun(db: Queryable, projects: Projects, runId: string): Promise<Run | null> {
  const { rows } = await db.query<Run>(
    `SELECT ${COLUMNS} FROM workflow.run r WHERE ${RUN_VISIBLE} AND r.id = $2`,
    [projectList(projects), runId],
  );
  return rows[0] ?? null;
}

export async function listRuns(
  db: Queryable,
  projects: Projects,
  trigger: string | null,
  query: RunQuery,
): Promise<Run[]> {
  const { rows } = await db.query<Run>(
    `SELECT ${COLUMNS} FROM workflow.run r
     WHERE ${RUN_VISIBLE} AND ${IN_STATE} AND ${AFTER} AND ($7::text IS NULL OR r.trigger_name = $7::text)
     ${NEWEST_FIRST} LIMIT $5 OFFSET $6`,
    [...pageValues(projects, query), trigger],
  );
  return rows;
}

/** The same page for each of the triggers. */
export async function listRunsOfTriggers(
  db: Queryable,
  projects: Projects,
  triggers: readonly string[],
  query: RunQuery,
): Promise<(Run & { readonly triggerName: string })[]> {
  const { rows } = await db.query<Run & { readonly triggerName: string }>(
    `SELECT page.* FROM unnest($7::text[]) AS t(name) CROSS JOIN LATERAL (
       SELECT ${COLUMNS} FROM workflow.run r
       WHERE ${RUN_VISIBLE} AND ${IN_STATE} AND ${AFTER} AND r.trigger_name = t.name
       ${NEWEST_FIRST} LIMIT $5 OFFSET $6) page`,
    [...pageValues(projects, query), triggers],
  );
  return rows;
}

export async function countRuns(
  db: Queryable,
  projects: Projects,
  status: RunStatus | null,
): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM workflow.run r WHERE ${RUN_VISIBLE} AND ${IN_STATE}`,
    [projectList(projects), status],
  );
  return rows[0]?.total ?? 0;
}

export async function countRunsOfTriggers(
  db: Queryable,
  projects: Projects,
  triggers: readonly string[],
  status: RunStatus | null,
): Promise<{ trigger: string; total: number }[]> {
  const { rows } = await db.query<{ trigger: string; total: number }>(
    `SELECT r.trigger_name AS trigger, count(*)::int AS total FROM workflow.run r
     WHERE ${RUN_VISIBLE} AND ${IN_STATE} AND r.trigger_name = ANY($3::text[]) GROUP BY r.trigger_name`,
    [projectList(projects), status, triggers],
  );
  return rows;
}

export type RunOfEntity = Run & { readonly entityId: string };

/** The newest runs that wrote or produced each of the entities. */
export const runsOfEntitiesQuery = (
  projects: Projects,
  entityIds: readonly string[],
  page: PageBounds,
): QueryConfig => ({
  name: 'runs-of-entities',
  text: `SELECT e.id AS "entityId", page.* FROM unnest(${listed(2)}) AS e(id) CROSS JOIN LATERAL (
       SELECT ${COLUMNS} FROM workflow.run_entity x JOIN workflow.run r ON r.id = x.run_id
       WHERE ${RUN_VISIBLE} AND x.entity_id = e.id ${NEWEST_FIRST} LIMIT $3 OFFSET $4) page`,
  values: [projectList(projects), entityIds, page.limit, page.offset],
});

export const listRunsOfEntities = async (
  db: Queryable,
  projects: Projects,
  entityIds: readonly string[],
  page: PageBounds,
): Promise<RunOfEntity[]> =>
  (await db.query<RunOfEntity>(runsOfEntitiesQuery(projects, entityIds, page))).rows;

/** Ids of the entities that each of the runs wrote or produced, each list in its own order. */
export async function listEntitiesOfRuns(
  db: Queryable,
  runIds: readonly string[],
  page: { readonly limit: number; readonly offset: number },
): Promise<{ runId: string; entityId: string }[]> {
  const { rows } = await db.query<{ runId: string; entityId: string }>(
    `SELECT n.id AS "runId", page.entity_id AS "entityId" FROM unnest($1::text[]) AS n(id) CROSS JOIN LATERAL (
       SELECT x.entity_id FROM workflow.run_entity x WHERE x.run_id = n.id ORDER BY x.entity_id LIMIT $2 OFFSET $3) page`,
    [runIds, page.limit, page.offset],
  );
  return rows;
}
