// SQL of causal chains: the requests that told of plans, by whose hashes productions were then asked for.
import { listed, prepared } from '../../../platform/prepared.ts';
import { projectList, type Queryable } from '../../../platform/queryable.ts';
import type { Identity } from '../../../platform/identity.ts';
import { PRODUCTION_VISIBLE } from '../productions/productions.store.ts';
import { before, type Bounds, productionRows } from './causal-links.store.ts';

export interface ResolvedPlan {
  readonly planHash: string;
  readonly requestId: string;
}

const TOLD = `${before('q.at')} AND ${before('b.requested_at')}`;

/** The requests that told of each of the plans, and have led to visible productions. */
export async function listResolvesOf(
  db: Queryable,
  plans: readonly string[],
  bounds: Bounds,
  { projects }: Pick<Identity, 'projects'>,
): Promise<ResolvedPlan[]> {
  const { rows } = await db.query<ResolvedPlan>(
    prepared(
      `SELECT k.hash AS "planHash", x.request AS "requestId" FROM unnest(${listed(2)}) k(hash) CROSS JOIN LATERAL (
       SELECT q.request_id::text AS request FROM ${productionRows(bounds)} JOIN artifact.production_resolve q ON q.production_id = b.id
       WHERE b.plan_hash = k.hash AND ${PRODUCTION_VISIBLE} AND ${TOLD} GROUP BY 1 ORDER BY min(q.at), 1 LIMIT $4::int OFFSET $5::int) x`,
      [projectList(projects), plans, bounds.asOf, bounds.limit, bounds.skip],
    ),
  );
  return rows;
}

/** The plans that each of the requests told of, as far as they have led to visible productions. */
export async function listResolvedBy(
  db: Queryable,
  requests: readonly string[],
  bounds: Bounds,
  { projects }: Pick<Identity, 'projects'>,
): Promise<ResolvedPlan[]> {
  const { rows } = await db.query<ResolvedPlan>(
    prepared(
      `SELECT x.hash AS "planHash", k.id::text AS "requestId" FROM unnest((SELECT $2::uuid[])::uuid[]) k(id) CROSS JOIN LATERAL (
       SELECT b.plan_hash AS hash FROM artifact.production_resolve q JOIN (${productionRows(bounds)}) ON b.id = q.production_id
       WHERE q.request_id = k.id AND b.plan_hash IS NOT NULL AND ${PRODUCTION_VISIBLE} AND ${TOLD} GROUP BY 1 ORDER BY 1 LIMIT $4::int OFFSET $5::int) x`,
      [projectList(projects), requests, bounds.asOf, bounds.limit, bounds.skip],
    ),
  );
  return rows;
}
