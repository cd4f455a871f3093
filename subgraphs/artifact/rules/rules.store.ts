// SQL of the production rules' versions.
import { type PastTable, tableAt } from '../../../platform/past/past-rows.ts';
import { instantSql, type Queryable } from '../../../platform/queryable.ts';
import type { RuleDefinition } from './rule-definition.ts';
import type { RuleReference } from './rule-reference.ts';

export type RuleStatus = 'active' | 'superseded' | 'deprecated';

export interface Rule {
  readonly name: string;
  readonly version: number;
  readonly definition: RuleDefinition;
  readonly status: RuleStatus;
  readonly scope: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly cwlHash: string;
  /** Null if the workflow's documents are not known: it must be registered again before it can run. */
  readonly workflowHash: string | null;
  readonly previousVersion: number | null;
  readonly deprecationNote: string | null;
  readonly registeredBy: string;
  readonly registeredAt: string;
  readonly isStatic: boolean;
  /** What registered it (docs/reference/metadata.md#why). */
  readonly causedBy: string | null;
  /** The instant as of which it was read; null for the present. */
  readonly asOf: string | null;
}

/** Visible rules: all for an administrator, else the global ones and the actor's own. */
export interface Viewer {
  readonly actor: string;
  readonly seesAll: boolean;
}

/** The rules' versions at an instant, in a parameter of the type text; those of now for null. */
export const RULE: PastTable = { schema: 'artifact', name: 'rule', key: ['name', 'version'] };
const rulesAt = (asOf: string | null, parameter: string, keys?: string): string =>
  tableAt(RULE, asOf === null ? null : `${parameter}::text::timestamptz`, keys);

export interface RuleFilter {
  readonly status: RuleStatus | null;
  readonly name: string | null;
  readonly scope: string | null;
  /** One for which it can make something. */
  readonly project: string | null;
}

/** @param asOf the parameter of the instant */
const columns = (
  asOf: string,
): string => `r.name, r.version, r.definition, r.status, r.scope, r.description, r.tags, r.cwl_hash AS "cwlHash", r.workflow_hash AS "workflowHash",
  r.previous_version AS "previousVersion", r.deprecation_note AS "deprecationNote", r.registered_by AS "registeredBy",
  ${instantSql('r.registered_at')} AS "registeredAt", r.is_static AS "isStatic", r.caused_by AS "causedBy", ${asOf}::text AS "asOf"`;

/** $1: the actor, $2: whether it sees every scope. */
export const RULE_VISIBLE = `(r.scope = 'global' OR r.scope = $1 OR $2::boolean)`;
const MATCHES = `($3::text IS NULL OR r.status = $3::text) AND ($4::text IS NULL OR r.name = $4::text) AND ($5::text IS NULL OR r.scope = $5::text)
  AND ($6::text IS NULL OR $6::text = ALL(ARRAY(SELECT artifact.rule_projects(r.definition))))`;

const filterValues = (
  { actor, seesAll }: Viewer,
  { status, name, scope, project }: RuleFilter,
): unknown[] => [actor, seesAll, status, name, scope, project];

export async function listRules(
  db: Queryable,
  viewer: Viewer,
  filter: RuleFilter & { readonly asOf: string | null },
  page: {
    readonly limit: number;
    readonly offset: number;
    readonly after: readonly (string | number)[] | null;
  },
): Promise<Rule[]> {
  const { rows } = await db.query<Rule>(
    `SELECT ${columns('$11')} FROM ${rulesAt(filter.asOf, '$11')} r
     WHERE ${RULE_VISIBLE} AND ${MATCHES} AND ($7::text IS NULL OR (r.name, r.version) > ($7::text, $8::bigint))
     ORDER BY r.name, r.version LIMIT $9 OFFSET $10`,
    [
      ...filterValues(viewer, filter),
      page.after?.[0] ?? null,
      page.after?.[1] ?? null,
      page.limit,
      page.offset,
      filter.asOf,
    ],
  );
  return rows;
}

export async function countRules(
  db: Queryable,
  viewer: Viewer,
  { asOf, ...filter }: RuleFilter & { readonly asOf: string | null },
): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM ${rulesAt(asOf, '$7')} r WHERE ${RULE_VISIBLE} AND ${MATCHES}`,
    [...filterValues(viewer, filter), ...(asOf === null ? [] : [asOf])],
  );
  return rows[0]?.total ?? 0;
}

/**
 * The version of a plain name: the active one, or if none is active, the newest deprecated one, so that it
 * can still be read.
 */
export async function findCurrentRule(
  db: Queryable,
  { actor, seesAll }: Viewer,
  name: string,
  asOf: string | null,
): Promise<Rule | null> {
  const { rows } = await db.query<Rule>(
    `SELECT ${columns('$4')} FROM ${rulesAt(asOf, '$4')} r WHERE ${RULE_VISIBLE} AND r.name = $3
     ORDER BY (r.status = 'active') DESC, (r.status = 'deprecated') DESC, r.version DESC LIMIT 1`,
    [actor, seesAll, name, asOf],
  );
  return rows[0] ?? null;
}

/** Active versions whose workflows' documents are not known: `name@n`. */
export async function listUnknownWorkflows(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ rule: string }>(
    `SELECT name || '@' || version AS rule FROM artifact.rule WHERE status = 'active' AND workflow_hash IS NULL ORDER BY 1`,
  );
  return rows.map(({ rule }) => rule);
}

/** These versions, as far as they exist and are visible. */
export async function findRules(
  db: Queryable,
  { actor, seesAll }: Viewer,
  references: readonly Required<RuleReference>[],
  asOf: string | null,
): Promise<Rule[]> {
  const { rows } = await db.query<Rule>(
    `SELECT ${columns('$5')} FROM ${rulesAt(asOf, '$5', `(SELECT array_agg(k.name || ' ' || k.version) FROM unnest($3::text[], $4::int[]) k(name, version))::text[]`)} r JOIN unnest($3::text[], $4::int[]) AS k(name, version) ON (r.name, r.version) = (k.name, k.version)
     WHERE ${RULE_VISIBLE}`,
    [actor, seesAll, references.map((r) => r.name), references.map((r) => r.version), asOf],
  );
  return rows;
}
