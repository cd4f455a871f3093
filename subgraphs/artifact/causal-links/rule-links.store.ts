// SQL of causal chains: rules, what registered them, and the documents of their workflows.
import type { LinkQuestion } from '../../../platform/causal-links.ts';
import { listed, prepared } from '../../../platform/prepared.ts';
import { instantSql, type Queryable } from '../../../platform/queryable.ts';
import { RULE_VISIBLE, type Viewer } from '../rules/rules.store.ts';

type Bounds = Pick<LinkQuestion, 'limit' | 'skip' | 'asOf'>;

const UNTIL = `($3::timestamptz IS NULL OR r.registered_at <= $3::timestamptz)`;

export interface RegisteredRule {
  readonly cause: string;
  readonly name: string;
  readonly version: number;
}

/** The visible rules that each of the nodes has registered. */
export async function listRegistered(
  db: Queryable,
  causes: readonly string[],
  { limit, skip, asOf }: Bounds,
  { actor, seesAll }: Viewer,
): Promise<RegisteredRule[]> {
  const { rows } = await db.query<RegisteredRule>(
    prepared(
      `SELECT k.cause, x.name, x.version FROM unnest(${listed(4)}) k(cause) CROSS JOIN LATERAL (
       SELECT r.name, r.version FROM artifact.rule r WHERE r.caused_by = k.cause AND ${RULE_VISIBLE} AND ${UNTIL} ORDER BY r.name, r.version LIMIT $5::int OFFSET $6::int) x`,
      [actor, seesAll, asOf, causes, limit, skip],
    ),
  );
  return rows;
}

/** The documents of workflows, by the hashes over all of them. */
export async function listDocuments(
  db: Queryable,
  workflows: readonly string[],
): Promise<{ workflow: string; hash: string }[]> {
  const { rows } = await db.query<{ workflow: string; hash: string }>(
    prepared(
      `SELECT DISTINCT w.hash AS workflow, part.hash FROM artifact.workflow w CROSS JOIN LATERAL jsonb_to_recordset(w.documents) part(hash text)
     WHERE w.hash = ANY(${listed(1)}) ORDER BY 1, 2`,
      [workflows],
    ),
  );
  return rows;
}

export interface RuleOfDocument {
  readonly hash: string;
  /** When the first visible rule with it was registered: others may have had it before. */
  readonly at: string;
  readonly characters: number;
  readonly name: string;
  readonly version: number;
}

/** The visible rules whose workflows have the documents. */
export async function listRulesOfDocuments(
  db: Queryable,
  documents: readonly string[],
  { limit, skip, asOf }: Bounds,
  { actor, seesAll }: Viewer,
): Promise<RuleOfDocument[]> {
  const { rows } = await db.query<RuleOfDocument>(
    prepared(
      `SELECT d.hash, ${instantSql('x.first')} AS at, length(d.content) AS characters, x.name, x.version
     FROM artifact.cwl_document d CROSS JOIN LATERAL (
       SELECT r.name, r.version, min(r.registered_at) OVER () AS first FROM artifact.workflow w JOIN artifact.rule r ON r.workflow_hash = w.hash
       WHERE w.documents @> jsonb_build_array(jsonb_build_object('hash', d.hash)) AND ${RULE_VISIBLE} AND ${UNTIL} ORDER BY r.name, r.version LIMIT $5::int OFFSET $6::int) x
     WHERE d.hash = ANY(${listed(4)})`,
      [actor, seesAll, asOf, documents, limit, skip],
    ),
  );
  return rows;
}
