// SQL that counts entities by the day of their creation.
import type { Identity } from '../../../platform/identity.ts';
import { instantSql, type Queryable } from '../../../platform/queryable.ts';
import { visibleSql } from '../reading/visibility.ts';

export interface CreatedRow {
  /** The midnight at which the first day begins. */
  readonly from: string;
  /** Null in the one row that there is where none was created. */
  readonly entityType: string | null;
  /** From 1. */
  readonly day: number;
  readonly created: number;
}

/**
 * By type. Each day's first position in the log is found by the index on time, and the newest entities by the
 * one on their first event; at most `most` of them are read.
 */
export async function countCreated(
  db: Queryable,
  query: {
    readonly days: number;
    readonly project: string | null;
    readonly identity: Identity;
    readonly most: number;
  },
): Promise<CreatedRow[]> {
  const values: unknown[] = [query.days, query.project, query.most];
  const { rows } = await db.query<CreatedRow>(
    `WITH begin AS (SELECT (date_trunc('day', clock_timestamp() AT TIME ZONE 'UTC') - ($1::int - 1) * interval '1 day') AT TIME ZONE 'UTC' AS at),
     day AS MATERIALIZED (
       SELECT array_agg(coalesce((SELECT p.position FROM metadata.provenance p WHERE p.timestamp >= b.at + n * interval '1 day' ORDER BY p.timestamp LIMIT 1), 9223372036854775807) ORDER BY n) AS positions
       FROM begin b, generate_series(0, $1::int - 1) n),
     newest AS MATERIALIZED (
       SELECT e.entity_type, e.first_event FROM metadata.entity e
       WHERE e.first_event >= (SELECT d.positions[1] FROM day d) AND ($2::text IS NULL OR e.project = $2) AND ${visibleSql(query.identity, 'e', values)}
       ORDER BY e.first_event DESC LIMIT $3),
     counted AS (
       SELECT n.entity_type, width_bucket(n.first_event, d.positions) AS day, count(*)::int AS created FROM newest n, day d GROUP BY 1, 2)
     SELECT ${instantSql('b.at')} AS from, c.entity_type AS "entityType", coalesce(c.day, 0) AS day, coalesce(c.created, 0) AS created
     FROM begin b LEFT JOIN counted c ON true ORDER BY c.entity_type, c.day`,
    values,
  );
  return rows;
}
