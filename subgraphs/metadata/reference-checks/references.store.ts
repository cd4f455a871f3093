// SQL of references without a visible target of the right type.
import type { Identity } from '../../../platform/identity.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { visibleSql } from '../reading/visibility.ts';
import type { FaultPosition, FaultRow, ReferenceField } from './reference-fault.ts';

/**
 * Ordered by creation, field and index, after a position; entities that are invisible to the identity count
 * as missing.
 */
export async function referenceFaults(
  db: Queryable,
  fields: readonly ReferenceField[],
  after: FaultPosition | null,
  limit: number,
  identity: Pick<Identity, 'projects'>,
): Promise<FaultRow[]> {
  const values: unknown[] = [
    JSON.stringify(fields),
    limit,
    [...new Set(fields.map((field) => field.entity_type))],
  ];
  const [seen, reached] = [visibleSql(identity, 'e', values), visibleSql(identity, 't', values)];
  const beyond =
    after === null
      ? 'true'
      : // the first alone is of one table, and so by its index
        `e.first_event >= $${values.length + 1}::bigint AND (e.first_event, r.field COLLATE "C", v.place) > ($${values.push(after[0])}::bigint, $${values.push(after[1])}::text, $${values.push(after[2])}::bigint)`;
  const { rows } = await db.query<FaultRow>(
    `SELECT e.id AS "entityId", e.entity_type AS "entityType", e.project, e.first_event::text AS created, r.field, v.place::int AS place, v.target AS "targetId", t.entity_type AS "actualEntityType"
     FROM metadata.entity e
     JOIN jsonb_to_recordset($1::jsonb) r(entity_type text, field text, targets jsonb) ON r.entity_type = e.entity_type
     CROSS JOIN LATERAL (
       SELECT e.data ->> r.field AS target, 0::bigint AS place WHERE jsonb_typeof(e.data -> r.field) = 'string'
       UNION ALL SELECT a.target, a.place FROM jsonb_array_elements_text(CASE WHEN jsonb_typeof(e.data -> r.field) = 'array' THEN e.data -> r.field ELSE '[]' END) WITH ORDINALITY a(target, place)
     ) v
     LEFT JOIN metadata.entity t ON t.id = v.target AND ${reached}
     WHERE e.entity_type = ANY($3::text[]) AND ${seen} AND ${beyond} AND (t.id IS NULL OR NOT r.targets ? t.entity_type)
     ORDER BY e.first_event, r.field COLLATE "C", v.place LIMIT $2::bigint`,
    values,
  );
  return rows;
}
