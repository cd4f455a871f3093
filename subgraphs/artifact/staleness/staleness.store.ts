// SQL of what productions were made with.
import { type EntityVersion, versionsIn } from '../../../platform/causal-links.ts';
import type { Queryable } from '../../../platform/queryable.ts';

/** The versions of entities that these causes of a production name. */
export const versionsGiven = (causes: readonly string[]): readonly EntityVersion[] =>
  [...versionsIn(causes)].sort((a, b) => a.version - b.version);

/** The versions of entities that each production was given, as far as they were recorded: by its last attempt. */
export async function listGivenVersions(
  db: Queryable,
  productions: readonly string[],
): Promise<ReadonlyMap<string, readonly EntityVersion[]>> {
  const { rows } = await db.query<{ id: string; causes: readonly string[] }>(
    `SELECT production_id AS id, array_agg(cause) AS causes FROM artifact.production_cause
     WHERE production_id = ANY($1::text[]) AND role = 'input' GROUP BY production_id`,
    [productions],
  );
  return new Map(rows.map(({ id, causes }) => [id, versionsGiven(causes)]));
}
