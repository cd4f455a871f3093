// SQL of the productions.
import type { Projects } from '../../../platform/identity.ts';
import type { JsonValue } from '../../../platform/json.ts';
import { instantSql, projectList, type Queryable } from '../../../platform/queryable.ts';

export type ProductionStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';

export interface Production {
  readonly id: string;
  readonly entityType: string;
  readonly criteria: JsonValue;
  readonly rule: string | null;
  readonly status: ProductionStatus;
  readonly entityIds: readonly string[];
  readonly error: JsonValue;
  readonly requestedBy: string;
  readonly requestId: string | null;
  readonly planHash: string | null;
  readonly requestedAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly parameters: JsonValue;
  readonly inputs: JsonValue;
  /** Every entity that it declares: `{entity_type, entity_id}`. */
  readonly produced: JsonValue;
  readonly runner: string | null;
  /** Its input files at that time; null for productions from before they were recorded. */
  readonly inputFiles: JsonValue;
}

/** What of a production may be large, and is read only where it is asked for: one of both. */
export interface ProductionDetails {
  readonly id: string;
  readonly plan?: JsonValue;
  /** The end of its log. */
  readonly log?: string | null;
}

export interface ProductionFilter {
  readonly entityType: string | null;
  readonly status: ProductionStatus | null;
  /** `name@n`, or a plain name for all its versions. */
  readonly rule: string | null;
}

const COLUMNS = `p.id, p.entity_type AS "entityType", p.criteria, p.rule, p.status, p.entity_ids AS "entityIds", p.error,
  p.requested_by AS "requestedBy", p.request_id::text AS "requestId", p.plan_hash AS "planHash", ${instantSql('p.requested_at')} AS "requestedAt",
  ${instantSql('p.started_at')} AS "startedAt", ${instantSql('p.finished_at')} AS "finishedAt", p.parameters, p.inputs, p.produced, p.runner, p.input_files AS "inputFiles"`;

/**
 * Productions for the projects ($1; null: all of them), and those that do not concern any project
 * (docs/reference/artifact.md#who-sees-a-production).
 */
export const PRODUCTION_VISIBLE = `($1::text[] IS NULL OR ((p.criteria ->> 'project' IS NULL OR p.criteria ->> 'project' = ANY($1::text[])) AND NOT EXISTS (
  SELECT 1 FROM (SELECT jsonb_path_query(p.plan, '$.**.projects[*]') UNION ALL SELECT jsonb_path_query(p.plan, '$.**.criteria.project')) AS named(project) WHERE NOT project #>> '{}' = ANY($1::text[]))))`;
const MATCHES = `($2::text IS NULL OR p.entity_type = $2::text) AND ($3::text IS NULL OR p.status = $3::text)
  AND ($4::text IS NULL OR p.rule = $4::text OR starts_with(p.rule, $4::text || '@'))`;

const filterValues = (projects: Projects, { entityType, status, rule }: ProductionFilter): unknown[] => [
  projectList(projects),
  entityType,
  status,
  rule,
];

export async function findProduction(
  db: Queryable,
  projects: Projects,
  id: string,
): Promise<Production | null> {
  const { rows } = await db.query<Production>(
    `SELECT ${COLUMNS} FROM artifact.production p WHERE ${PRODUCTION_VISIBLE} AND p.id = $2`,
    [projectList(projects), id],
  );
  return rows[0] ?? null;
}

export async function listProductions(
  db: Queryable,
  projects: Projects,
  filter: ProductionFilter,
  page: {
    readonly limit: number;
    readonly offset: number;
    readonly after: readonly (string | number)[] | null;
  },
): Promise<Production[]> {
  const { rows } = await db.query<Production>(
    `SELECT ${COLUMNS} FROM artifact.production p
     WHERE ${PRODUCTION_VISIBLE} AND ${MATCHES} AND ($5::timestamptz IS NULL OR (p.requested_at, p.id) < ($5::timestamptz, $6::text))
     ORDER BY p.requested_at DESC, p.id DESC LIMIT $7 OFFSET $8`,
    [
      ...filterValues(projects, filter),
      page.after?.[0] ?? null,
      page.after?.[1] ?? null,
      page.limit,
      page.offset,
    ],
  );
  return rows;
}

export async function countProductions(
  db: Queryable,
  projects: Projects,
  filter: ProductionFilter,
): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM artifact.production p WHERE ${PRODUCTION_VISIBLE} AND ${MATCHES}`,
    filterValues(projects, filter),
  );
  return rows[0]?.total ?? 0;
}

/** Plans and logs of productions whose visibility has been checked. */
export async function listDetails(
  db: Queryable,
  column: 'plan' | 'log',
  ids: readonly string[],
): Promise<ProductionDetails[]> {
  const { rows } = await db.query<ProductionDetails>(
    `SELECT p.id, p.${column} FROM artifact.production p WHERE p.id = ANY($1::text[])`,
    [ids],
  );
  return rows;
}

/**
 * The production that made the current state of each of the entities, if any: the latest, if it is not
 * recorded. Each production once, however many of the entities it made.
 */
export async function listProductionsOfEntities(
  db: Queryable,
  projects: Projects,
  entityIds: readonly string[],
): Promise<(Production & { readonly made: readonly string[] })[]> {
  const { rows } = await db.query<Production & { readonly made: readonly string[] }>(
    `SELECT made.ids AS made, ${COLUMNS} FROM (
       SELECT latest.production_id, array_agg(latest.entity_id) AS ids FROM (
         SELECT DISTINCT ON (e.id) e.id AS entity_id, p.id AS production_id
         FROM artifact.production p CROSS JOIN LATERAL unnest(p.entity_ids) AS e(id)
         WHERE ${PRODUCTION_VISIBLE} AND p.entity_ids && $2::text[] AND e.id = ANY($2::text[])
           AND NOT EXISTS (SELECT 1 FROM artifact.entity_identity i WHERE i.entity_id = e.id AND i.production_id <> p.id)
         ORDER BY e.id, p.requested_at DESC, p.id DESC) latest
       GROUP BY latest.production_id) made
     JOIN artifact.production p ON p.id = made.production_id`,
    [projectList(projects), entityIds],
  );
  return rows;
}
