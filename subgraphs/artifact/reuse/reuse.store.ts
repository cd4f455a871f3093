// SQL of results that must not be used again, and of what results were made with.
import { listed, prepared } from '../../../platform/prepared.ts';
import { instantSql, type Queryable } from '../../../platform/queryable.ts';
import type { JsonValue } from '../../../platform/json.ts';

export interface Refusal { readonly entityId: string; readonly reason: string; readonly actor: string; readonly since: string }

const COLUMNS = `entity_id AS "entityId", reason, actor, ${instantSql('since')} AS since`;

export async function findRefusals(db: Queryable, entityIds: readonly string[]): Promise<Refusal[]> {
  const { rows } = await db.query<Refusal>(prepared(`SELECT ${COLUMNS} FROM artifact.not_reusable WHERE entity_id = ANY(${listed(1)})`, [entityIds]));
  return rows;
}

export async function refuseReuse(db: Queryable, entityId: string, reason: string, actor: string): Promise<void> {
  await db.query(
    `INSERT INTO artifact.not_reusable (entity_id, reason, actor) VALUES ($1, $2, $3)
     ON CONFLICT (entity_id) DO UPDATE SET reason = excluded.reason, actor = excluded.actor, since = now()`,
    [entityId, reason, actor],
  );
}

export async function allowReuse(db: Queryable, entityId: string): Promise<void> {
  await db.query('DELETE FROM artifact.not_reusable WHERE entity_id = $1', [entityId]);
}

/** The parameters of the latest completed production of each of the entities, where one made it. */
export async function findParameters(db: Queryable, entityIds: readonly string[]): Promise<ReadonlyMap<string, Readonly<Record<string, JsonValue>>>> {
  const { rows } = await db.query<{ id: string; parameters: Readonly<Record<string, JsonValue>> }>(
    `SELECT DISTINCT ON (e.id) e.id, p.parameters FROM artifact.production p CROSS JOIN LATERAL unnest(p.entity_ids) AS e(id)
     WHERE p.entity_ids && $1::text[] AND e.id = ANY($1::text[]) AND p.status = 'completed'
     ORDER BY e.id, p.requested_at, p.id`,
    [entityIds],
  );
  return new Map(rows.map(({ id, parameters }) => [id, parameters]));
}
