// SQL of the number of entities of a project, by type.
import type { Queryable } from '../../../platform/queryable.ts';

/** Entity type → number of its entities, without zeros. */
export async function entitiesOfProject(
  db: Queryable,
  project: string,
): Promise<Readonly<Record<string, number>>> {
  const { rows } = await db.query<{ entity_type: string; n: string }>(
    'SELECT entity_type, sum(n) AS n FROM metadata.entity_count WHERE project = $1 GROUP BY 1 HAVING sum(n) > 0 ORDER BY 1',
    [project],
  );
  return Object.fromEntries(rows.map((row) => [row.entity_type, Number(row.n)]));
}
