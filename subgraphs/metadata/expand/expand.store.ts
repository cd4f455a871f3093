// SQL that follows relationships of many entities at once.
import { listed, prepared } from '../../../platform/prepared.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { Identity } from '../../../platform/identity.ts';
import { liveAt, visibleAtSql } from '../reading/states.ts';
import type { Moment } from '../reading/timeline.ts';

export interface From {
  readonly id: string;
  readonly type: string;
}
export interface Target {
  readonly source_id: string;
  readonly relationship_type: string;
  readonly target_id: string;
}

/**
 * The targets of an entity's relationships of a type, for every requested pair, in order of creation; `limit`
 * for each pair.
 */
export async function targetsOf(
  pool: Queryable,
  from: readonly From[],
  limit: number,
  identity: Identity,
  at: Moment,
): Promise<Target[]> {
  const values: unknown[] = [from.map((f) => f.id), from.map((f) => f.type), limit];
  const moment = at === null ? null : `$${values.push(at)}::bigint`;
  const { rows } = await pool.query<Target>(
    prepared(
      `SELECT k.id AS source_id, k.type AS relationship_type, r.target_id
     FROM unnest(${listed(1)}, ${listed(2)}) WITH ORDINALITY k(id, type, n)
     CROSS JOIN LATERAL (
       SELECT r.target_id, r.created_event FROM metadata.relationship r JOIN metadata.entity e ON e.id = r.target_id AND ${visibleAtSql(identity, 'e', moment, values)}
       WHERE r.source_id = k.id AND r.relationship_type = k.type AND ${liveAt('r', moment)}
       ORDER BY r.created_event LIMIT $3::bigint
     ) r ORDER BY k.n, r.created_event`,
      values,
    ),
  );
  return rows;
}
