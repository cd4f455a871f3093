// SQL that reads external ids.
import { instantSql, type Queryable } from '../../../platform/queryable.ts';
import type { Moment } from '../as-of/timeline.ts';

export interface ExternalIdRecord {
  readonly id: string;
  readonly entityId: string;
  readonly idType: string;
  readonly externalId: string;
  readonly createdAt: string;
  readonly supersededAt: string | null;
  readonly supersededBy: string | null;
}

/** Which of an entity's records are meant. */
export type Standing = 'active' | 'superseded' | 'any';

/** `at`: the place of a moment, up to which supersessions are told of. */
const recordsSql = (at: string | null): string => `SELECT x.id, x.entity_id AS "entityId", x.id_type AS "idType", x.external_id AS "externalId",
  ${instantSql('c.timestamp')} AS "createdAt", ${instantSql('s.timestamp')} AS "supersededAt", CASE WHEN s.position IS NOT NULL THEN x.superseded_by END AS "supersededBy"
  FROM metadata.external_id x
  JOIN metadata.provenance c ON c.position = x.created_event${at === null ? '' : ` AND c.position <= ${at}`}
  LEFT JOIN metadata.provenance s ON s.position = x.superseded_event${at === null ? '' : ` AND s.position <= ${at}`}`;

/** Records of the entities, oldest first; as they were at a moment, or for null as they are. */
export async function recordsOf(db: Queryable, entityIds: readonly string[], standing: Standing, at: Moment = null): Promise<ExternalIdRecord[]> {
  const { rows } = await db.query<ExternalIdRecord>(
    `${recordsSql(at === null ? null : '$3::bigint')} WHERE x.entity_id = ANY($1::text[]) AND ($2 = 'any' OR (s.position IS NOT NULL) = ($2 = 'superseded')) ORDER BY x.created_event`,
    at === null ? [entityIds, standing] : [entityIds, standing, at],
  );
  return rows;
}

export async function recordById(db: Queryable, id: string): Promise<ExternalIdRecord | null> {
  const { rows } = await db.query<ExternalIdRecord>(`${recordsSql(null)} WHERE x.id = $1`, [id]);
  return rows[0] ?? null;
}

/** The entity that has a value of a type now. */
export async function ownerOf(db: Queryable, idType: string, value: string): Promise<string | null> {
  const { rows } = await db.query<{ entity_id: string }>(
    'SELECT entity_id FROM metadata.external_id WHERE id_type = $1 AND external_id = $2 AND superseded_event IS NULL', [idType, value],
  );
  return rows[0]?.entity_id ?? null;
}

/** Entities that have a value under any type, two at most: from type to type along the index, of which there are few. */
export async function ownersOfAnyType(db: Queryable, value: string): Promise<string[]> {
  const { rows } = await db.query<{ entity_id: string }>(
    `WITH RECURSIVE kind(id_type) AS (
       (SELECT id_type FROM metadata.external_id WHERE superseded_event IS NULL ORDER BY id_type LIMIT 1)
       UNION ALL
       SELECT (SELECT x.id_type FROM metadata.external_id x WHERE x.superseded_event IS NULL AND x.id_type > kind.id_type ORDER BY x.id_type LIMIT 1)
       FROM kind WHERE kind.id_type IS NOT NULL
     )
     SELECT DISTINCT x.entity_id FROM kind
     JOIN metadata.external_id x ON x.id_type = kind.id_type AND x.external_id = $1 AND x.superseded_event IS NULL LIMIT 2`,
    [value],
  );
  return rows.map((row) => row.entity_id);
}
