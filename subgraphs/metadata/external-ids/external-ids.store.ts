// SQL that reads external ids.
import type { Identity } from '../../../platform/identity.ts';
import { listed, prepared } from '../../../platform/prepared.ts';
import { instantSql, type Queryable } from '../../../platform/queryable.ts';
import { visibleAtSql } from '../reading/states.ts';
import type { Moment } from '../reading/timeline.ts';
import type { ExternalIdRecord, Standing } from './external-id-record.ts';

/** `at`: the position of a moment; later supersessions are not shown. */
const recordsSql = (
  at: string | null,
): string => `SELECT x.id, x.entity_id AS "entityId", x.id_type AS "idType", x.external_id AS "externalId",
  ${instantSql('c.timestamp')} AS "createdAt", ${instantSql('s.timestamp')} AS "supersededAt", CASE WHEN s.position IS NOT NULL THEN x.superseded_by END AS "supersededBy"
  FROM metadata.external_id x
  JOIN metadata.provenance c ON c.position = x.created_event${at === null ? '' : ` AND c.position <= ${at}`}
  LEFT JOIN metadata.provenance s ON s.position = x.superseded_event${at === null ? '' : ` AND s.position <= ${at}`}`;

/** Records of the entities, oldest first, at a moment or now (null). */
export async function recordsOf(
  db: Queryable,
  entityIds: readonly string[],
  standing: Standing,
  at: Moment = null,
): Promise<ExternalIdRecord[]> {
  const { rows } = await db.query<ExternalIdRecord>(
    prepared(
      `${recordsSql(at === null ? null : '$3::bigint')} WHERE x.entity_id = ANY(${listed(1)}) AND ($2 = 'any' OR (s.position IS NOT NULL) = ($2 = 'superseded')) ORDER BY x.created_event`,
      at === null ? [entityIds, standing] : [entityIds, standing, at],
    ),
  );
  return rows;
}

export async function recordById(db: Queryable, id: string): Promise<ExternalIdRecord | null> {
  const { rows } = await db.query<ExternalIdRecord>(`${recordsSql(null)} WHERE x.id = $1`, [id]);
  return rows[0] ?? null;
}

/**
 * Current and superseded records, each through its own index. `at` is the position of the moment at which a
 * record must be valid; null for now.
 */
const standingSql = (
  at: string | null,
): readonly { readonly superseded: 'IS NULL' | 'IS NOT NULL'; readonly stood: string }[] =>
  at === null
    ? [{ superseded: 'IS NULL', stood: '' }]
    : [
        { superseded: 'IS NULL', stood: ` AND x.created_event <= ${at}` },
        { superseded: 'IS NOT NULL', stood: ` AND x.created_event <= ${at} AND x.superseded_event > ${at}` },
      ];

/** The entity that has a value of a type at the moment. */
export async function ownerOf(
  db: Queryable,
  idType: string,
  value: string,
  at: Moment,
): Promise<string | null> {
  const held = standingSql(at === null ? null : '$3::bigint').map(
    ({ superseded, stood }) =>
      `SELECT x.entity_id FROM metadata.external_id x WHERE x.id_type = $1 AND md5(x.external_id) = md5($2) AND x.external_id = $2 AND x.superseded_event ${superseded}${stood}`,
  );
  const { rows } = await db.query<{ entity_id: string }>(
    prepared(held.join(' UNION ALL '), at === null ? [idType, value] : [idType, value, at]),
  );
  return rows[0]?.entity_id ?? null;
}

/**
 * Visible entities that have a value under any type at the moment, at most two: steps from type to type along the
 * indexes, because there are few types.
 */
export async function ownersOfAnyType(
  db: Queryable,
  value: string,
  identity: Pick<Identity, 'projects'>,
  at: Moment,
): Promise<string[]> {
  const params: unknown[] = at === null ? [value] : [value, at];
  const position = at === null ? null : '$2::bigint';
  const held = standingSql(position).map(
    ({ superseded, stood }) => `(WITH RECURSIVE kind(id_type) AS (
      (SELECT id_type FROM metadata.external_id WHERE superseded_event ${superseded} ORDER BY id_type LIMIT 1)
      UNION ALL
      SELECT (SELECT x.id_type FROM metadata.external_id x WHERE x.superseded_event ${superseded} AND x.id_type > kind.id_type ORDER BY x.id_type LIMIT 1)
      FROM kind WHERE kind.id_type IS NOT NULL
    )
    SELECT x.entity_id FROM kind JOIN metadata.external_id x ON x.id_type = kind.id_type AND md5(x.external_id) = md5($1) AND x.external_id = $1 AND x.superseded_event ${superseded}${stood})`,
  );
  const { rows } = await db.query<{ entity_id: string }>(
    `SELECT DISTINCT b.id AS entity_id FROM (${held.join(' UNION ALL ')}) held JOIN metadata.entity b ON b.id = held.entity_id
     WHERE ${visibleAtSql(identity, 'b', position, params)} LIMIT 2`,
    params,
  );
  return rows.map((row) => row.entity_id);
}
