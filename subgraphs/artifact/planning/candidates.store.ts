// SQL of the rules that may make an entity of a type.
import { tableAt } from '../../../platform/past/past-rows.ts';
import { prepared } from '../../../platform/prepared.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { KnownWorkflow } from '../cwl-source/read-workflow.ts';
import type { RuleDefinition } from '../rules/rule-definition.ts';
import { RULE } from '../rules/rules.store.ts';

export interface Candidate {
  readonly name: string;
  readonly version: number;
  readonly definition: Omit<RuleDefinition, 'execute'>;
  readonly cwlHash: string;
  /** Null if the workflow's documents are not known. */
  readonly workflowHash: string | null;
  /** Null if the workflow is not stored. */
  readonly workflow: KnownWorkflow | null;
}

const COLUMNS =
  'r.name, r.version, r.definition, r.cwl_hash AS "cwlHash", r.workflow_hash AS "workflowHash", w.parsed AS workflow';

/** An active rule, with its scope. */
export interface ActiveRule extends Candidate {
  readonly scope: string;
}

/** SQL of the revision in `artifact.rule_revision r`: it increases whenever a rule is registered or changed. */
export const RULE_REVISION = `r.revision || ' ' || pg_postmaster_start_time()`;

export async function findRuleRevision(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ revision: string }>(
    prepared(`SELECT ${RULE_REVISION} AS revision FROM artifact.rule_revision r`, []),
  );
  return rows[0]?.revision ?? '';
}

/** Every active rule that produces the type, in all scopes, by name. */
export async function listActiveRules(
  db: Queryable,
  entityType: string,
  asOf: string | null = null,
): Promise<ActiveRule[]> {
  const shapes = [{ entity_type: entityType }, [{ entity_type: entityType }]].map((shape) =>
    JSON.stringify(shape),
  );
  const { rows } = await db.query<Omit<ActiveRule, 'workflow'>>(
    `SELECT r.name, r.version, r.definition - 'execute' AS definition, r.cwl_hash AS "cwlHash", r.workflow_hash AS "workflowHash", r.scope FROM ${tableAt(RULE, asOf === null ? null : '$3::timestamptz')} r
     WHERE r.status = 'active' AND (r.definition -> 'produces' @> $1::jsonb OR r.definition -> 'produces' @> $2::jsonb) ORDER BY r.name`,
    [...shapes, ...(asOf === null ? [] : [asOf])],
  );
  const { rows: kept } = await db.query<{ hash: string; workflow: KnownWorkflow }>(
    'SELECT hash, parsed AS workflow FROM artifact.workflow WHERE hash = ANY($1::text[])',
    [[...new Set(rows.flatMap(({ workflowHash }) => workflowHash ?? []))]],
  );
  const workflows = new Map<string | null, KnownWorkflow>(kept.map(({ hash, workflow }) => [hash, workflow]));
  return rows.map((rule) => ({ ...rule, workflow: workflows.get(rule.workflowHash) ?? null }));
}

/** One version with any status except deprecated. */
export async function findCandidate(
  db: Queryable,
  name: string,
  version: number,
  actor: string,
  asOf: string | null = null,
): Promise<Candidate | null> {
  const { rows } = await db.query<Candidate>(
    `SELECT ${COLUMNS} FROM ${tableAt(RULE, asOf === null ? null : '$4::timestamptz')} r LEFT JOIN artifact.workflow w ON w.hash = r.workflow_hash
     WHERE r.name = $1 AND r.version = $2 AND r.status <> 'deprecated' AND (r.scope = 'global' OR r.scope = $3)`,
    [name, version, actor, ...(asOf === null ? [] : [asOf])],
  );
  return rows[0] ?? null;
}
