// SQL that finds entities by parts of their data.
import type { Queryable } from '../../../platform/queryable.ts';
import type { Identity } from '../../../platform/identity.ts';
import { endedStates, stood } from '../reading/states.ts';
import type { Moment } from '../reading/timeline.ts';
import { visibleSql } from '../reading/visibility.ts';
import type { EntityData } from '../schema-model/entity-type.ts';

/**
 * Ids of entities that are available at the moment and whose data at that time contains one of the shapes,
 * earliest first: through the indexes over data.
 */
export async function idsHolding(
  db: Queryable,
  shapes: readonly EntityData[],
  limit: number,
  identity: Identity,
  at: Moment = null,
): Promise<string[]> {
  const values: unknown[] = [limit];
  const any = shapes
    .map((shape) => {
      values.push(JSON.stringify(shape));
      return `e.data @> $${values.length}::jsonb`;
    })
    .join(' OR ');
  const holding = `(${any}) AND e.is_available AND ${visibleSql(identity, 'e', values)}`;
  const present = `SELECT e.id, e.first_event FROM metadata.entity e WHERE ${holding}`;
  const moment = at === null ? '' : `$${values.push(at)}::bigint`;
  const found =
    at === null
      ? present
      : `${present} AND ${stood(moment)} UNION ALL
    SELECT e.id, e.first_event FROM ${endedStates(moment)} WHERE ${holding}`;
  const { rows } = await db.query<{ id: string }>(
    `SELECT f.id FROM (${found}) f ORDER BY f.first_event LIMIT $1::bigint`,
    values,
  );
  return rows.map((row) => row.id);
}
