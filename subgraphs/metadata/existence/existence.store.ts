// SQL that checks for many names whether an entity exists.
import type { Identity } from '../../../platform/identity.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { visibleSql } from '../reading/visibility.ts';

/** The type of the entity behind each name, by position; null if there is none that the identity may see. */
export async function typesBehind(
  db: Queryable,
  names: readonly string[],
  identity: Identity,
): Promise<(string | null)[]> {
  const values: unknown[] = [names];
  const { rows } = await db.query<{ entity_type: string | null }>(
    `SELECT e.entity_type FROM unnest($1::text[]) WITH ORDINALITY k(name, n)
     LEFT JOIN LATERAL (
       SELECT e.entity_type FROM metadata.entity e
       WHERE e.id IN (SELECT k.name UNION ALL SELECT x.entity_id FROM metadata.external_id x WHERE md5(x.external_id) = md5(k.name) AND x.external_id = k.name AND x.id_type = 'default' AND x.superseded_event IS NULL)
         AND ${visibleSql(identity, 'e', values)} LIMIT 1) e ON true
     ORDER BY k.n`,
    values,
  );
  return rows.map((row) => row.entity_type);
}
