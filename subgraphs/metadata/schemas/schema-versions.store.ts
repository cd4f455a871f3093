// SQL of the versions that a schema has had.
import { instantSql, type Queryable } from '../../../platform/queryable.ts';
import type { Moment } from '../reading/timeline.ts';

export interface SchemaVersion {
  readonly version: string;
  readonly revision: number;
  readonly definition: unknown;
  readonly registeredBy: string;
  readonly registeredAt: string;
  /** As the event of its registration has them. */
  readonly changes: readonly string[];
}

/** @param at those that were registered by then */
export async function listVersions(
  db: Queryable,
  name: string,
  at: Moment,
): Promise<readonly SchemaVersion[]> {
  const { rows } = await db.query<SchemaVersion>(
    `SELECT s.version, s.revision, s.definition, p.actor AS "registeredBy", ${instantSql('p.timestamp')} AS "registeredAt", p.payload->'changes_applied' AS changes
     FROM metadata.schema_revision s JOIN metadata.provenance p ON p.position = s.created_event
     WHERE s.name = $1 AND ($2::bigint IS NULL OR s.created_event <= $2) ORDER BY s.revision DESC`,
    [name, at],
  );
  return rows;
}
