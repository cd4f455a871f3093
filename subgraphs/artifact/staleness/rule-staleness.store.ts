// SQL of versions of rules that may have come to differ from what is active.
import type { Queryable } from '../../../platform/queryable.ts';

export interface RuleOfType {
  /** `name@n`. */
  readonly rule: string;
  readonly entityType: string;
}

/**
 * Versions of the rules, and inactive ones of others that make the same types, each with the types that were asked for of
 * it: by index, however many productions there are.
 */
export async function listAffectedRules(db: Queryable, names: readonly string[]): Promise<RuleOfType[]> {
  const { rows } = await db.query<RuleOfType>(
    `WITH RECURSIVE named AS (
       SELECT coalesce(array_agg(DISTINCT t.type #>> '{}'), '{}') AS types
       FROM artifact.rule r CROSS JOIN LATERAL jsonb_path_query(r.definition, '$.produces[*].entity_type') AS t(type) WHERE r.name = ANY($1::text[])),
     affected AS (
       SELECT r.name || '@' || r.version AS rule FROM artifact.rule r CROSS JOIN named
       WHERE r.name = ANY($1::text[]) OR (r.status <> 'active' AND jsonb_path_query_array(r.definition, '$.produces[*].entity_type') ?| named.types)),
     made AS (
       SELECT a.rule, first.entity_type FROM affected a CROSS JOIN LATERAL (
         SELECT p.entity_type FROM artifact.production p WHERE p.rule = a.rule AND p.status = 'completed' AND p.runner IS NOT NULL
         ORDER BY p.entity_type LIMIT 1) first
       UNION ALL
       SELECT m.rule, next.entity_type FROM made m CROSS JOIN LATERAL (
         SELECT p.entity_type FROM artifact.production p
         WHERE p.rule = m.rule AND p.entity_type > m.entity_type AND p.status = 'completed' AND p.runner IS NOT NULL
         ORDER BY p.entity_type LIMIT 1) next)
     SELECT rule, entity_type AS "entityType" FROM made`,
    [names],
  );
  return rows;
}

export interface RuleState extends RuleOfType {
  readonly isChanged: boolean;
}

/** @returns those whose state is another one than before, or was not known */
export async function keepRuleStates(db: Queryable, states: readonly RuleState[]): Promise<RuleOfType[]> {
  const { rows } = await db.query<RuleOfType>(
    `INSERT INTO artifact.rule_staleness AS s (rule, entity_type, is_changed)
     SELECT * FROM unnest($1::text[], $2::text[], $3::boolean[])
     ON CONFLICT (rule, entity_type) DO UPDATE SET is_changed = excluded.is_changed WHERE s.is_changed <> excluded.is_changed
     RETURNING s.rule, s.entity_type AS "entityType"`,
    [
      states.map(({ rule }) => rule),
      states.map(({ entityType }) => entityType),
      states.map(({ isChanged }) => isChanged),
    ],
  );
  return rows;
}

/** Texts of what rules of any version require. */
export async function listRequirements(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ ref: string }>(
    `SELECT DISTINCT ref #>> '{}' AS ref FROM artifact.rule r CROSS JOIN LATERAL jsonb_path_query(r.definition, '$.requires[*].ref') AS ref`,
  );
  return rows.map(({ ref }) => ref);
}
