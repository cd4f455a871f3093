// SQL that finds entities by what their data holds.
import type { Queryable } from '../../../platform/queryable.ts';
import type { Identity } from '../../../platform/identity.ts';
import { visibleSql } from '../entities/visibility.ts';
import type { EntityData } from '../schemas/entity-type.ts';

/** Ids of available entities whose data contains one of the shapes, earliest first: through the index on data. */
export async function idsHolding(db: Queryable, shapes: readonly EntityData[], limit: number, identity: Identity): Promise<string[]> {
  const values: unknown[] = [limit];
  const any = shapes.map((shape) => { values.push(JSON.stringify(shape)); return `e.data @> $${values.length}::jsonb`; }).join(' OR ');
  const { rows } = await db.query<{ id: string }>(
    `SELECT e.id FROM metadata.entity e WHERE (${any}) AND e.is_available AND ${visibleSql(identity, 'e', values)} ORDER BY e.first_event LIMIT $1::bigint`,
    values,
  );
  return rows.map((row) => row.id);
}
