// SQL of results that are excluded from reuse, and of the parameters of results.
import { listed, prepared } from '../../../platform/prepared.ts';
import { instantSql, type Queryable } from '../../../platform/queryable.ts';
import type { JsonValue } from '../../../platform/json.ts';

export interface Refusal {
  readonly entityId: string;
  readonly reason: string;
  readonly actor: string;
  readonly since: string;
}

const COLUMNS = `entity_id AS "entityId", reason, actor, ${instantSql('since')} AS since`;

export async function findRefusals(db: Queryable, entityIds: readonly string[]): Promise<Refusal[]> {
  const { rows } = await db.query<Refusal>(
    prepared(`SELECT ${COLUMNS} FROM artifact.not_reusable WHERE entity_id = ANY(${listed(1)})`, [entityIds]),
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

/** The parameters of the production that made the current state of each of the entities, if any. */
export async function findParameters(
  db: Queryable,
  entityIds: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<string, JsonValue>>>> {
  const { rows } = await db.query<{ id: string; parameters: Readonly<Record<string, JsonValue>> }>(
    `SELECT i.entity_id AS id, p.parameters FROM artifact.entity_identity i JOIN artifact.production p ON p.id = i.production_id WHERE i.entity_id = ANY($1::text[])
     UNION ALL
     (SELECT DISTINCT ON (e.id) e.id, p.parameters FROM artifact.production p CROSS JOIN LATERAL unnest(p.entity_ids) AS e(id)
      WHERE p.entity_ids && $1::text[] AND e.id = ANY($1::text[]) AND p.status = 'completed' AND NOT EXISTS (SELECT 1 FROM artifact.entity_identity i WHERE i.entity_id = e.id)
      ORDER BY e.id, p.requested_at, p.id)`,
    [entityIds],
  );
  return new Map(rows.map(({ id, parameters }) => [id, parameters]));
}
