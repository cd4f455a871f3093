// SQL of the requests that told of plans, and of the productions that were asked for by the hashes of these plans
// (docs/reference/metadata.md#why).
import type { Caller } from '../../../platform/identity.ts';
import type { Queryable } from '../../../platform/queryable.ts';

type Asker = Pick<Caller, 'actor' | 'requestId'>;

/** Somebody who has seen a plan asks for it soon, or resolves it again. */
const KEPT_DAYS = 30;
/** Newer plans of the actor beside which one is kept: 1000 together. */
const OTHERS_KEPT = 999;

/** The last request counts. Some of those that nobody has come back to are forgotten with each, and the actor's oldest. */
export async function noteResolved(
  db: Queryable,
  planHash: string,
  { actor, requestId }: Asker,
): Promise<void> {
  await db.query(
    `WITH old AS (SELECT plan_hash, actor FROM artifact.resolved_plan WHERE at < clock_timestamp() - interval '${KEPT_DAYS} days' ORDER BY at LIMIT 20 FOR UPDATE SKIP LOCKED),
       many AS (SELECT plan_hash, actor FROM artifact.resolved_plan WHERE actor = $2
         AND at <= (SELECT o.at FROM artifact.resolved_plan o WHERE o.actor = $2 ORDER BY o.at DESC OFFSET ${OTHERS_KEPT} LIMIT 1) ORDER BY at LIMIT 20 FOR UPDATE SKIP LOCKED),
       gone AS (DELETE FROM artifact.resolved_plan r USING (TABLE old UNION TABLE many) k WHERE (r.plan_hash, r.actor) = (k.plan_hash, k.actor) AND (k.plan_hash, k.actor) <> ($1, $2))
     INSERT INTO artifact.resolved_plan (plan_hash, actor, request_id) VALUES ($1, $2, $3)
     ON CONFLICT (plan_hash, actor) DO UPDATE SET request_id = excluded.request_id, at = clock_timestamp()`,
    [planHash, actor, requestId],
  );
}

/** Notes the request that told the actor of the plan, if there is one, as one that has led to the production. */
export async function noteResolvedFor(
  db: Queryable,
  production: string,
  planHash: string,
  { actor }: Pick<Caller, 'actor'>,
): Promise<void> {
  await db.query(
    `INSERT INTO artifact.production_resolve (production_id, request_id)
     SELECT $1, r.request_id FROM artifact.resolved_plan r WHERE r.plan_hash = $2 AND r.actor = $3 ON CONFLICT DO NOTHING`,
    [production, planHash, actor],
  );
}
