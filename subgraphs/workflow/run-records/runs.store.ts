// SQL of the run log.
import type { QueryConfig } from 'pg';
import type { Projects } from '../../../platform/identity.ts';
import type { PageBounds } from '../../../platform/paging.ts';
import { type PastTable, rowAt, tableAt } from '../../../platform/past/past-rows.ts';
import { listed } from '../../../platform/prepared.ts';
import { instantSql, projectList, type Queryable } from '../../../platform/queryable.ts';
import type { Run, RunStatus } from './run.ts';

/** What is looked for; null where any will do. */
export interface RunFilter {
  readonly status: RunStatus | null;
  readonly project: string | null;
  /** Queued from this instant on, and before that one. */
  readonly since: string | null;
  readonly until: string | null;
  readonly causedBy: string | null;
  readonly requestId: string | null;
  /** A text within an error, in any case. */
  readonly error: string | null;
}

export interface RunQuery extends RunFilter {
  readonly limit: number;
  readonly offset: number;
  /** The row before the page: its `queuedAt` and `runId`. */
  readonly after: readonly (string | number)[] | null;
  /** As of which instant; null for the present. */
  readonly asOf: string | null;
}

/** What is counted. */
export type RunCount = RunFilter & Pick<RunQuery, 'asOf'>;

/** @param asOf the parameter of the instant */
export const runColumns = (asOf: string): string =>
  `r.id AS "runId", r.trigger_name AS "triggerName", r.trigger_type AS "triggerType", r.adapter, r.action, r.cause, r.caused_by AS "causedBy", r.request_id::text AS "requestId", r.status,
  ${instantSql('r.queued_at')} AS "queuedAt", ${instantSql('r.started_at')} AS "startedAt", ${instantSql('r.finished_at')} AS "finishedAt",
  r.attempt, r.records_fetched AS "recordsFetched", r.records_created AS "recordsCreated", r.records_updated AS "recordsUpdated",
  r.records_skipped AS "recordsSkipped", r.records_failed AS "recordsFailed",
  r.errors, r.unresolved, r.produced, r.actor, r.project, ${asOf}::text AS "asOf"`;

/** Its type is text: rows show it as it was given. */
const instantOf = (parameter: string): string => `${parameter}::text::timestamptz`;

export const RUN: PastTable = { schema: 'workflow', name: 'run', key: ['id'] };

/** Runs as `r`, and the table by whose rows `b` they are found and ordered: what orders them never changes. */
export const runsAt = (asOf: string | null, parameter: string): string => {
  const at = instantOf(parameter);
  return asOf === null
    ? 'workflow.run r CROSS JOIN LATERAL (SELECT r.id, r.queued_at, r.trigger_name, r.project) b'
    : `workflow.run b JOIN ${rowAt(RUN, at, 'b', 'r')} ON b.queued_at <= ${at}`;
};

/**
 * Runs that are visible in the projects ($1; null: all of them): those that acted in no other
 * (docs/reference/workflow.md#who-sees-a-run, docs/decisions/0060).
 */
export const RUN_VISIBLE = `($1::text[] IS NULL OR r.acts_projects <@ $1::text[])`;
/** It never changes. */
export const inProject = (run: string, parameter: string): string =>
  `(${parameter}::text IS NULL OR ${run}.project = ${parameter}::text)`;
/**
 * Conditions on runs `r`, for the values of {@link filterValues} from $2 on.
 * @param base the table by whose rows they are found
 */
const found = (base: 'b' | 'r'): string =>
  `($2::text IS NULL OR r.status = $2::text) AND ${inProject(base, '$3')}
  AND ($4::timestamptz IS NULL OR ${base}.queued_at >= $4::timestamptz) AND ($5::timestamptz IS NULL OR ${base}.queued_at < $5::timestamptz)
  AND ($6::text IS NULL OR r.caused_by = $6::text) AND ($7::text IS NULL OR r.request_id::text = $7::text)
  AND ($8::text IS NULL OR EXISTS (SELECT FROM jsonb_array_elements(r.errors) e WHERE strpos(lower(concat_ws(': ', e->>'type', e->>'message')), lower($8::text)) > 0))`;

const filterValues = ({
  status,
  project,
  since,
  until,
  causedBy,
  requestId,
  error,
}: RunFilter): unknown[] => [status, project, since, until, causedBy, requestId, error];

const NEWEST_FIRST = `ORDER BY b.queued_at DESC, b.id DESC`;
const AFTER = `($9::timestamptz IS NULL OR (b.queued_at, b.id) < ($9::timestamptz, $10::text))`;
const PAGE = `WHERE ${RUN_VISIBLE} AND ${found('b')} AND ${AFTER}`;

const pageValues = (projects: Projects, query: RunQuery): unknown[] => [
  projectList(projects),
  ...filterValues(query),
  query.after?.[0] ?? null,
  query.after?.[1] ?? null,
  query.limit,
  query.offset,
  query.asOf,
];

export async function findRun(
  db: Queryable,
  projects: Projects,
  runId: string,
  asOf: string | null,
): Promise<Run | null> {
  const { rows } = await db.query<Run>(
    `SELECT ${runColumns('$3')} FROM ${runsAt(asOf, '$3')} WHERE ${RUN_VISIBLE} AND b.id = $2`,
    [projectList(projects), runId, asOf],
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
    `SELECT ${runColumns('$13')} FROM ${runsAt(query.asOf, '$13')}
     ${PAGE} AND ($14::text IS NULL OR b.trigger_name = $14::text) ${NEWEST_FIRST} LIMIT $11 OFFSET $12`,
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
    `SELECT page.* FROM unnest($14::text[]) AS t(name) CROSS JOIN LATERAL (
       SELECT ${runColumns('$13')} FROM ${runsAt(query.asOf, '$13')}
       ${PAGE} AND b.trigger_name = t.name ${NEWEST_FIRST} LIMIT $11 OFFSET $12) page`,
    [...pageValues(projects, query), triggers],
  );
  return rows;
}

/** For statements that count: all rows are read, by what changed. */
const allRuns = (asOf: string | null, parameter: string): string =>
  tableAt(RUN, asOf === null ? null : instantOf(parameter));
const given = (asOf: string | null): readonly string[] => (asOf === null ? [] : [asOf]);

export async function countRuns(
  db: Queryable,
  projects: Projects,
  { asOf, ...filter }: RunCount,
): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM ${allRuns(asOf, '$9')} r WHERE ${RUN_VISIBLE} AND ${found('r')}`,
    [projectList(projects), ...filterValues(filter), ...given(asOf)],
  );
  return rows[0]?.total ?? 0;
}

export async function countRunsOfTriggers(
  db: Queryable,
  projects: Projects,
  triggers: readonly string[],
  { asOf, ...filter }: RunCount,
): Promise<{ trigger: string; total: number }[]> {
  const { rows } = await db.query<{ trigger: string; total: number }>(
    `SELECT r.trigger_name AS trigger, count(*)::int AS total FROM ${allRuns(asOf, '$10')} r
     WHERE ${RUN_VISIBLE} AND ${found('r')} AND r.trigger_name = ANY($9::text[]) GROUP BY r.trigger_name`,
    [projectList(projects), ...filterValues(filter), triggers, ...given(asOf)],
  );
  return rows;
}

export type RunOfEntity = Run & { readonly entityId: string };

/** What a run had written at the instant of the parameter. */
const writtenBy = (parameter: string): string =>
  `(${parameter}::text IS NULL OR x.at IS NULL OR x.at <= ${instantOf(parameter)})`;

/** The newest runs that wrote or produced each of the entities. */
export const runsOfEntitiesQuery = (
  projects: Projects,
  entityIds: readonly string[],
  page: PageBounds,
  asOf: string | null,
): QueryConfig => ({
  name: asOf === null ? 'runs-of-entities' : 'runs-of-entities-at',
  text: `SELECT e.id AS "entityId", page.* FROM unnest(${listed(2)}) AS e(id) CROSS JOIN LATERAL (
       SELECT ${runColumns('$5')} FROM workflow.run_entity x JOIN (${runsAt(asOf, '$5')}) ON b.id = x.run_id
       WHERE ${RUN_VISIBLE} AND x.entity_id = e.id AND ${writtenBy('$5')} ${NEWEST_FIRST} LIMIT $3 OFFSET $4) page`,
  values: [projectList(projects), entityIds, page.limit, page.offset, asOf],
});

export const listRunsOfEntities = async (
  db: Queryable,
  projects: Projects,
  entityIds: readonly string[],
  { asOf, ...page }: PageBounds & { readonly asOf: string | null },
): Promise<RunOfEntity[]> =>
  (await db.query<RunOfEntity>(runsOfEntitiesQuery(projects, entityIds, page, asOf))).rows;

/** Ids of the entities that each of the runs wrote or produced, each list in its own order. */
export async function listEntitiesOfRuns(
  db: Queryable,
  runIds: readonly string[],
  page: PageBounds & { readonly asOf: string | null },
): Promise<{ runId: string; entityId: string }[]> {
  const { rows } = await db.query<{ runId: string; entityId: string }>(
    `SELECT n.id AS "runId", page.entity_id AS "entityId" FROM unnest($1::text[]) AS n(id) CROSS JOIN LATERAL (
       SELECT x.entity_id FROM workflow.run_entity x WHERE x.run_id = n.id AND ${writtenBy('$4')} ORDER BY x.entity_id LIMIT $2 OFFSET $3) page`,
    [runIds, page.limit, page.offset, page.asOf],
  );
  return rows;
}
