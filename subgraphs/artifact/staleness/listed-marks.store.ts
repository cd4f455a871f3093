// SQL of lists of stale results, by their marks.
import type { Projects } from '../../../platform/identity.ts';
import { prepared } from '../../../platform/prepared.ts';
import { instantSql, projectList, type Queryable } from '../../../platform/queryable.ts';
import { PRODUCTION_VISIBLE } from '../productions/productions.store.ts';
import { type Result, STATE } from './stale-results.store.ts';

export interface StaleResult extends Result {
  /** Grows in the order in which results became stale. */
  readonly since: string;
  readonly rule: string | null;
  /** By which comparison it was found to be stale last. */
  readonly compared: string | null;
}

export interface StaleWanted {
  readonly types: readonly string[] | null;
  /** `name@n`, or a plain name for all its versions. */
  readonly rule: string | null;
  /** Only those that became stale later. */
  readonly after: string | null;
}

/** Marks, and what they were read in: {@link StaleBasis.state}. */
export interface StaleMarksRead {
  readonly state: string;
  readonly marks: readonly StaleResult[];
}

/**
 * The next of them in the order in which they became stale, without those of productions of other projects: the mark says
 * which these are, so that those are not opened.
 */
export async function listStaleResults(
  db: Queryable,
  projects: Projects,
  { types, rule, after }: StaleWanted,
  limit: number,
): Promise<StaleMarksRead> {
  const { rows } = await db.query<{ state: string } & (StaleResult | { entityId: null })>(
    prepared(
      `SELECT ${STATE} AS state, m.* FROM artifact.staleness_basis b CROSS JOIN artifact.rule_revision r LEFT JOIN LATERAL (
       SELECT s.entity_id AS "entityId", s.entity_type AS "entityType", s.production_id AS "productionId", coalesce(s.rule, p.rule) AS rule, ${instantSql('s.since')} AS since, s.compared::text AS compared
       FROM artifact.stale_result s LEFT JOIN artifact.production p ON s.projects IS NULL AND p.id = s.production_id
       WHERE CASE WHEN s.projects IS NULL THEN p.id IS NOT NULL AND ${PRODUCTION_VISIBLE} ELSE $1::text[] IS NULL OR s.projects <@ $1::text[] END
         AND ($2::text[] IS NULL OR s.entity_type = ANY($2::text[])) AND ($3::timestamptz IS NULL OR s.since > $3::timestamptz)
         AND ($5::text IS NULL OR coalesce(s.rule, p.rule) = $5::text OR starts_with(coalesce(s.rule, p.rule), $5::text || '@'))
       ORDER BY s.since LIMIT $4) m ON true ORDER BY m.since`,
      [projectList(projects), types, after, limit, rule],
    ),
  );
  return {
    state: rows[0]?.state ?? '',
    marks: rows.filter((row): row is { state: string } & StaleResult => row.entityId !== null),
  };
}
