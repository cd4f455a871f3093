// SQL of results that are excluded from reuse, and of the parameters of results.
import { type PastTable, tableAt } from '../../../platform/past/past-rows.ts';
import { listed, prepared } from '../../../platform/prepared.ts';
import { instantSql, type Queryable } from '../../../platform/queryable.ts';
import type { JsonValue } from '../../../platform/json.ts';
import { identitiesOf } from '../past/past-identities.ts';
import { productionsAt } from '../past/past-productions.ts';

export interface Refusal {
  readonly entityId: string;
  readonly reason: string;
  readonly actor: string;
  readonly since: string;
}

const COLUMNS = `entity_id AS "entityId", reason, actor, ${instantSql('since')} AS since`;

const REFUSED: PastTable = { schema: 'artifact', name: 'not_reusable', key: ['entity_id'] };

/** @param asOf the instant as of which; null for the present */
export async function findRefusals(
  db: Queryable,
  entityIds: readonly string[],
  asOf: string | null,
): Promise<Refusal[]> {
  const { rows } = await db.query<Refusal>(
    prepared(
      `SELECT ${COLUMNS} FROM ${tableAt(REFUSED, asOf === null ? null : '$2::timestamptz', listed(1))} refused WHERE entity_id = ANY(${listed(1)})`,
      [entityIds, ...(asOf === null ? [] : [asOf])],
    ),
  );
  return rows;
}

export async function refuseReuse(
  db: Queryable,
  entityId: string,
  reason: string,
  actor: string,
): Promise<void> {
  await db.query(
    `INSERT INTO artifact.not_reusable (entity_id, reason, actor) VALUES ($1, $2, $3)
     ON CONFLICT (entity_id) DO UPDATE SET reason = excluded.reason, actor = excluded.actor, since = now()`,
    [entityId, reason, actor],
  );
}

export async function allowReuse(db: Queryable, entityId: string): Promise<void> {
  await db.query('DELETE FROM artifact.not_reusable WHERE entity_id = $1', [entityId]);
}

/** A result that was made again is another one than the excluded. */
export async function letInAgain(db: Queryable, entityIds: readonly string[]): Promise<void> {
  await db.query('DELETE FROM artifact.not_reusable WHERE entity_id = ANY($1::text[])', [entityIds]);
}

/**
 * The parameters of the production that made the current state of each of the entities, if any.
 * @param asOf the instant as of which; null for the present
 */
export async function findParameters(
  db: Queryable,
  entityIds: readonly string[],
  asOf: string | null,
): Promise<ReadonlyMap<string, Readonly<Record<string, JsonValue>>>> {
  const { rows } = await db.query<{ id: string; parameters: Readonly<Record<string, JsonValue>> }>(
    `WITH identity AS (${identitiesOf(asOf, '$1::text[]', '$2::text::timestamptz')})
     SELECT i.entity_id AS id, p.parameters FROM identity i JOIN artifact.production p ON p.id = i.production_id
     UNION ALL
     (SELECT DISTINCT ON (e.id) e.id, p.parameters FROM ${productionsAt(asOf, '$2')} CROSS JOIN LATERAL unnest(p.entity_ids) AS e(id)
      WHERE b.entity_ids && $1::text[] AND e.id = ANY($1::text[]) AND p.status = 'completed' AND NOT EXISTS (SELECT 1 FROM identity i WHERE i.entity_id = e.id)
      ORDER BY e.id, b.requested_at, b.id)`,
    [entityIds, ...(asOf === null ? [] : [asOf])],
  );
  return new Map(rows.map(({ id, parameters }) => [id, parameters]));
}
