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
const PRODUCES = `(r.definition -> 'produces' @> jsonb_build_array($1::jsonb) OR r.definition -> 'produces' @> $1::jsonb)`;

/** The active rules that produce the type: global ones and the actor's own, nobody else's, not even for administrators (spec 3 «Authentication» 3). */
export async function listCandidates(db: Queryable, entityType: string, actor: string): Promise<Candidate[]> {
  const { rows } = await db.query<Candidate>(
    `SELECT ${COLUMNS} FROM artifact.rule r LEFT JOIN artifact.cwl_document d ON d.hash = r.cwl_hash
     WHERE r.status = 'active' AND (r.scope = 'global' OR r.scope = $2) AND ${PRODUCES} ORDER BY r.name`,
    [JSON.stringify({ entity_type: entityType }), actor],
  );
  return rows;
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
