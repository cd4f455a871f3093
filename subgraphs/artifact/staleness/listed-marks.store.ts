// SQL of lists of stale results, by their marks.
import type { Projects } from '../../../platform/identity.ts';
import { prepared } from '../../../platform/prepared.ts';
import { instantSql, projectList, type Queryable } from '../../../platform/queryable.ts';
import { PRODUCTION_VISIBLE } from '../productions/productions.store.ts';
import { type Result, STATE, STATE_FROM } from './stale-results.store.ts';

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

/** Whether the projects ($1) see the mark; of one from before marks had them, its production says. */
const SEEN = `CASE WHEN s.projects IS NULL THEN p.id IS NOT NULL AND ${PRODUCTION_VISIBLE} ELSE s.projects <@ $1::text[] END`;

/**
 * The next of them in the order in which they became stale, without those of productions of other projects: the mark says
 * which these are, so that those are not opened. Each set of conditions is a text of its own, which is planned once.
 */
export async function listStaleResults(
  db: Queryable,
  projects: Projects,
  { types, rule, after }: StaleWanted,
  limit: number,
): Promise<StaleMarksRead> {
  const values: unknown[] = projects === '*' ? [] : [projectList(projects)];
  const given = (value: unknown): string => `$${values.push(value)}`;
  const conditions = [projects === '*' ? '(s.projects IS NOT NULL OR p.id IS NOT NULL)' : SEEN];
  if (types !== null) conditions.push(`s.entity_type = ANY(${given(types)}::text[])`);
  if (after !== null) conditions.push(`s.since > ${given(after)}::timestamptz`);
  if (rule !== null) {
    const name = `${given(rule)}::text`;
    conditions.push(
      `(coalesce(s.rule, p.rule) = ${name} OR starts_with(coalesce(s.rule, p.rule), ${name} || '@'))`,
    );
  }
  const { rows } = await db.query<{ state: string } & (StaleResult | { entityId: null })>(
    prepared(
      `SELECT ${STATE} AS state, m.* FROM ${STATE_FROM} LEFT JOIN LATERAL (
       SELECT s.entity_id AS "entityId", s.entity_type AS "entityType", s.production_id AS "productionId", coalesce(s.rule, p.rule) AS rule, ${instantSql('s.since')} AS since, s.compared::text AS compared
       FROM artifact.stale_result s LEFT JOIN LATERAL (SELECT o.id, o.rule, o.criteria, o.plan FROM artifact.production o WHERE s.projects IS NULL AND o.id = s.production_id OFFSET 0) p ON true
       WHERE ${conditions.join(' AND ')} ORDER BY s.since LIMIT ${given(limit)}) m ON true ORDER BY m.since`,
      values,
    ),
  );
  return {
    state: rows[0]?.state ?? '',
    marks: rows.filter((row): row is { state: string } & StaleResult => row.entityId !== null),
  };
}
