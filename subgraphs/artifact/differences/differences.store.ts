// SQL of what productions left in the store.
import type { Queryable } from '../../../platform/queryable.ts';

export interface OutputFile {
  readonly productionId: string;
  readonly entityId: string;
  readonly field: string;
  readonly hash: string;
}

/** The files of the entities as each of the productions made them, also where they were made again since. */
export async function listOutputFiles(
  db: Queryable,
  productions: readonly string[],
  entityIds: readonly string[],
): Promise<OutputFile[]> {
  const { rows } = await db.query<OutputFile>(
    `SELECT k.id AS "productionId", x.entity_id AS "entityId", x.field, x.hash FROM unnest($1::text[]) k(id)
     JOIN artifact.production_output x ON x.production_id = k.id AND x.entity_id = ANY($2::text[]) ORDER BY x.entity_id, x.field`,
    [productions, entityIds],
  );
  return rows;
}
