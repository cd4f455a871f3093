// SQL of the rules that might make an entity of a type.
import type { Queryable } from '../../../platform/queryable.ts';
import type { KnownWorkflow } from '../cwl-source/read-workflow.ts';
import type { RuleDefinition } from '../rules/rule-definition.ts';

export interface Candidate {
  readonly name: string;
  readonly version: number;
  readonly definition: RuleDefinition;
  readonly cwlHash: string;
  /** Null where the workflow is not kept. */
  readonly workflow: KnownWorkflow | null;
}

const COLUMNS = 'r.name, r.version, r.definition, r.cwl_hash AS "cwlHash", d.parsed AS workflow';

/** More are not looked at: those that fix most of what is looked for, and contradict nothing, come first. */
const MOST_CANDIDATES = 200;

/** What each rule's best item for the types says of the criteria: fields that it fixes to another value, and fields that it fixes. $3, $4: criteria; $5: types. */
const BEST_ITEM = `SELECT count(*) FILTER (WHERE m.value <> c.value) AS wrong, count(m.key) AS fixed
  FROM jsonb_array_elements(CASE jsonb_typeof(r.definition -> 'produces') WHEN 'array' THEN r.definition -> 'produces' ELSE jsonb_build_array(r.definition -> 'produces') END) WITH ORDINALITY AS p(item, n)
  LEFT JOIN LATERAL jsonb_each_text(CASE jsonb_typeof(p.item -> 'match') WHEN 'object' THEN p.item -> 'match' ELSE '{}' END) m ON m.value !~ '^\\{[^{}]+\\}$'
  LEFT JOIN unnest($3::text[], $4::text[]) AS c(field, value) ON c.field = m.key
  WHERE p.item ->> 'entity_type' = ANY($5::text[]) GROUP BY p.n ORDER BY 1, 2 DESC LIMIT 1`;

/**
 * The active rules that produce one of the types: global ones and the actor's own, nobody else's, not even for administrators
 * (spec 3 «Authentication» 3).
 */
export async function listCandidates(db: Queryable, types: readonly string[], criteria: ReadonlyMap<string, string>, actor: string): Promise<Candidate[]> {
  const shapes = types.flatMap((type) => [JSON.stringify({ entity_type: type }), JSON.stringify([{ entity_type: type }])]);
  const { rows } = await db.query<Candidate>(
    `WITH found AS (
       SELECT DISTINCT r.name, r.version FROM unnest($1::jsonb[]) AS t(shape) JOIN artifact.rule r ON r.definition -> 'produces' @> t.shape
       WHERE r.status = 'active' AND (r.scope = 'global' OR r.scope = $2))
     SELECT ${COLUMNS} FROM found JOIN artifact.rule r USING (name, version) LEFT JOIN artifact.cwl_document d ON d.hash = r.cwl_hash
       LEFT JOIN LATERAL (${BEST_ITEM}) best ON true
     ORDER BY best.wrong, best.fixed DESC, r.name LIMIT ${MOST_CANDIDATES}`,
    [shapes, actor, [...criteria.keys()], [...criteria.values()], types],
  );
  return rows.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** One version, whatever its status but deprecated. */
export async function findCandidate(db: Queryable, name: string, version: number, actor: string): Promise<Candidate | null> {
  const { rows } = await db.query<Candidate>(
    `SELECT ${COLUMNS} FROM artifact.rule r LEFT JOIN artifact.cwl_document d ON d.hash = r.cwl_hash
     WHERE r.name = $1 AND r.version = $2 AND r.status <> 'deprecated' AND (r.scope = 'global' OR r.scope = $3)`,
    [name, version, actor],
  );
  return rows[0] ?? null;
}
