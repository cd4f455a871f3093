// SQL of the productions.
import { nodeKey } from '../../../platform/causal-links.ts';
import type { Projects } from '../../../platform/identity.ts';
import type { JsonValue } from '../../../platform/json.ts';
import { tableAt } from '../../../platform/past/past-rows.ts';
import { identitiesOf } from '../past/past-identities.ts';
import { instantOf, PRODUCTION, productionsAt } from '../past/past-productions.ts';
import { instantSql, projectList, type Queryable } from '../../../platform/queryable.ts';
import type { Production, ProductionStatus } from './production.ts';

export interface ProductionFilter {
  readonly entityType: string | null;
  readonly status: ProductionStatus | null;
  /** `name@n`, or a plain name for all its versions. */
  readonly rule: string | null;
  /** One that its criteria or its plan name. */
  readonly project: string | null;
  /** A request that asked for them. */
  readonly requestId: string | null;
}

/** @param asOf the parameter of the instant */
export const productionColumns = (
  asOf: string,
): string => `p.id, p.entity_type AS "entityType", p.criteria, p.rule, p.status, p.entity_ids AS "entityIds", p.error,
  p.requested_by AS "requestedBy", p.request_id::text AS "requestId", p.plan_hash AS "planHash", ${instantSql('p.requested_at')} AS "requestedAt",
  ${instantSql('p.started_at')} AS "startedAt", ${instantSql('p.finished_at')} AS "finishedAt", p.parameters, p.inputs, p.produced, p.runner, p.input_files AS "inputFiles", p.images, ${asOf}::text AS "asOf"`;

/**
 * Productions for the projects ($1; null: all of them), and those that do not concern any project
 * (docs/reference/artifact.md#who-sees-a-production).
 */
export const PRODUCTION_VISIBLE = `($1::text[] IS NULL OR ((p.criteria ->> 'project' IS NULL OR p.criteria ->> 'project' = ANY($1::text[])) AND NOT EXISTS (
  SELECT 1 FROM (SELECT jsonb_path_query(p.plan, '$.**.projects[*]') UNION ALL SELECT jsonb_path_query(p.plan, '$.**.criteria.project')) AS named(project) WHERE NOT project #>> '{}' = ANY($1::text[]))))`;
const MATCHES = `($2::text IS NULL OR p.entity_type = $2::text) AND ($3::text IS NULL OR p.status = $3::text)
  AND ($4::text IS NULL OR p.rule = $4::text OR starts_with(p.rule, $4::text || '@'))
  AND ($5::text IS NULL OR $5::text IN (SELECT artifact.production_projects(p.criteria, p.plan)))`;

const filterValues = (
  projects: Projects,
  { entityType, status, rule, project }: ProductionFilter,
): unknown[] => [projectList(projects), entityType, status, rule, project];
/** Productions of one request, by its index; whoever joined one asked for it as well. */
const askedBy = (request: string | null, key: string, asOf: string | null): string =>
  request === null
    ? ''
    : `AND p.id IN (SELECT c.production_id FROM artifact.production_cause c WHERE c.cause = ${key}::text AND c.role = 'asked'${asOf === null ? '' : ` AND c.at <= ${asOf}`})`;
const keyValues = (request: string | null): readonly string[] =>
  request === null ? [] : [nodeKey('request', request)];

export async function findProduction(
  db: Queryable,
  projects: Projects,
  id: string,
  asOf: string | null,
): Promise<Production | null> {
  const { rows } = await db.query<Production>(
    `SELECT ${productionColumns('$3')} FROM ${productionsAt(asOf, '$3')} WHERE ${PRODUCTION_VISIBLE} AND b.id = $2`,
    [projectList(projects), id, asOf],
  );
  return rows[0] ?? null;
}

/** Those of them that the projects see, as they are now. */
export async function findProductions(
  db: Queryable,
  projects: Projects,
  ids: readonly string[],
): Promise<Production[]> {
  const { rows } = await db.query<Production>(
    `SELECT ${productionColumns('NULL')} FROM artifact.production p WHERE ${PRODUCTION_VISIBLE} AND p.id = ANY($2::text[])`,
    [projectList(projects), ids],
  );
  return rows;
}

/** Where a list is read, and its order: that of a project has rows of its own. */
const placesOf = (
  { project, asOf }: Pick<ProductionFilter, 'project'> & { readonly asOf: string | null },
  parameter: string,
): { readonly from: string; readonly at: string; readonly id: string } =>
  project === null
    ? { from: productionsAt(asOf, parameter), at: 'b.requested_at', id: 'b.id' }
    : {
        from: `artifact.production_project n JOIN (${productionsAt(asOf, parameter)}) ON b.id = n.production_id AND n.project = $5::text`,
        at: 'n.requested_at',
        id: 'n.production_id',
      };

export async function listProductions(
  db: Queryable,
  projects: Projects,
  filter: ProductionFilter & { readonly asOf: string | null },
  page: {
    readonly limit: number;
    readonly offset: number;
    readonly after: readonly (string | number)[] | null;
  },
): Promise<Production[]> {
  const { from, at, id } = placesOf(filter, '$10');
  const { rows } = await db.query<Production>(
    `SELECT ${productionColumns('$10')} FROM ${from}
     WHERE ${PRODUCTION_VISIBLE} AND ${MATCHES} ${askedBy(filter.requestId, '$11', filter.asOf === null ? null : instantOf('$10'))}
       AND ($6::timestamptz IS NULL OR (${at}, ${id}) < ($6::timestamptz, $7::text))
     ORDER BY ${at} DESC, ${id} DESC LIMIT $8 OFFSET $9`,
    [
      ...filterValues(projects, filter),
      page.after?.[0] ?? null,
      page.after?.[1] ?? null,
      page.limit,
      page.offset,
      filter.asOf,
      ...keyValues(filter.requestId),
    ],
  );
  return rows;
}

export async function countProductions(
  db: Queryable,
  projects: Projects,
  { asOf, ...filter }: ProductionFilter & { readonly asOf: string | null },
): Promise<number> {
  const instant = asOf === null ? null : instantOf('$6');
  const asked = askedBy(filter.requestId, asOf === null ? '$6' : '$7', instant);
  const { rows } = await db.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM ${tableAt(PRODUCTION, instant)} p WHERE ${PRODUCTION_VISIBLE} AND ${MATCHES} ${asked}
     AND ($5::text IS NULL OR p.id IN (SELECT n.production_id FROM artifact.production_project n WHERE n.project = $5::text))`,
    [...filterValues(projects, filter), ...(asOf === null ? [] : [asOf]), ...keyValues(filter.requestId)],
  );
  return rows[0]?.total ?? 0;
}

/** Plans of productions whose visibility has been checked. */
export async function listPlans(
  db: Queryable,
  ids: readonly string[],
  asOf: string | null,
): Promise<{ readonly id: string; readonly plan: JsonValue }[]> {
  const { rows } = await db.query<{ id: string; plan: JsonValue }>(
    `SELECT p.id, p.plan FROM ${productionsAt(asOf, '$2')} WHERE b.id = ANY($1::text[])`,
    [ids, ...(asOf === null ? [] : [asOf])],
  );
  return rows;
}

/**
 * The production that made the current state of each of the entities, if any: the latest, if it is not
 * recorded. Each production once, however many of the entities it made. Each entity is looked up by itself: for many of them
 * together PostgreSQL would read all productions, and without OFFSET 0 in the order of their times.
 */
export async function listProductionsOfEntities(
  db: Queryable,
  projects: Projects,
  entityIds: readonly string[],
  asOf: string | null,
): Promise<(Production & { readonly made: readonly string[] })[]> {
  const { rows } = await db.query<Production & { readonly made: readonly string[] }>(
    `WITH identity AS (${identitiesOf(asOf, '$2::text[]', instantOf('$3'))})
     SELECT made.ids AS made, ${productionColumns('$3')} FROM (
       SELECT latest.production_id, array_agg(latest.entity_id) AS ids FROM (
         SELECT e.id AS entity_id, found.id AS production_id FROM unnest($2::text[]) AS e(id) CROSS JOIN LATERAL (
           SELECT x.id FROM (
             SELECT b.id, b.requested_at FROM ${productionsAt(asOf, '$3')}
             WHERE ${PRODUCTION_VISIBLE} AND b.entity_ids @> ARRAY[e.id] AND e.id = ANY(p.entity_ids)
               AND NOT EXISTS (SELECT 1 FROM identity i WHERE i.entity_id = e.id AND i.production_id <> p.id)
             OFFSET 0) x
           ORDER BY x.requested_at DESC, x.id DESC LIMIT 1) found) latest
       GROUP BY latest.production_id) made
     JOIN (${productionsAt(asOf, '$3')}) ON b.id = made.production_id`,
    [projectList(projects), entityIds, asOf],
  );
  return rows;
}
