// A plan: the steps to obtain an entity, with the reason for each, and the plan's hash.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../platform/canonical-json.ts';
import type { Parameters } from '../reuse/reuse.service.ts';

export type Decision = 'reuse' | 'fetch' | 'build';

/** Which stored results may be reused: any, or those that are not stale. */
export type Reuse = 'any' | 'fresh';

export interface RuleVerdict {
  /** `name@n`. */
  readonly rule: string;
  readonly chosen: boolean;
  readonly reason: string;
}

export interface PlanNode {
  readonly entity_type: string;
  readonly criteria: Readonly<Record<string, string>>;
  readonly decision: Decision;
  /** The stored entity that is reused. */
  readonly entity_id: string | null;
  /** `name@n` of the rule, the hash of its workflow's main document, and the one of all its documents. */
  readonly rule: string | null;
  readonly cwl_hash: string | null;
  readonly workflow_hash: string | null;
  /** The values of the rule's placeholders. */
  readonly bindings: Readonly<Record<string, string>>;
  readonly reason: string;
  /** The stored entity that the reason names as nearest, where none is reused and one is. */
  readonly nearest_id?: string;
  /**
   * What has changed since what is stored was made, where that is why it is not reused. Told to who asks and never
   * recorded: it may name entities that others who see the production do not see.
   */
  readonly stale_reasons?: readonly string[];
  /**
   * With which the stale result was made, and is made again, as far as the rule takes them; absent where there are none.
   * Not recorded either: who sees the production may not see the one that made the result.
   */
  readonly parameters?: Parameters;
  /** Projects of the entities that the node names: only members of all of them may see it. */
  readonly projects: readonly string[];
  readonly rules_considered: readonly RuleVerdict[];
  /** The plans of its requirements. */
  readonly requires: readonly PlanNode[];
  /** Whether the same entity occurs earlier in this plan, with all its requirements. */
  readonly repeated: boolean;
}

/** The plan without its explanations, which may change while the plan stays the same. */
const deeds = ({
  entity_type: type,
  criteria,
  decision,
  entity_id: entity,
  rule,
  workflow_hash: workflow,
  bindings,
  requires,
  parameters,
}: PlanNode): unknown => [
  type,
  pairs(criteria),
  decision,
  entity,
  rule,
  workflow,
  pairs(bindings),
  requires.map(deeds),
  ...(parameters === undefined ? [] : [canonicalJson(parameters)]),
];
const pairs = (map: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
  Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));

/** `sha256:<hex>` of the plan in its canonical form. */
export const planHash = (plan: PlanNode): string =>
  `sha256:${createHash('sha256')
    .update(JSON.stringify(deeds(plan)))
    .digest('hex')}`;

/** The steps of the current plan, for a caller that has seen another one. */
export function planDifference(plan: PlanNode): readonly string[] {
  const own =
    plan.decision === 'reuse'
      ? `${plan.entity_type} is reused: ${plan.entity_id ?? ''}`
      : `${plan.entity_type} is produced by ${plan.rule ?? ''} (${plan.workflow_hash ?? ''})`;
  return [own, ...plan.requires.flatMap(planDifference)];
}

/** Ids of the stored entities that a plan requires itself. */
export const requiredBy = ({ requires }: PlanNode): readonly string[] =>
  requires.flatMap(({ entity_id: id }) => id ?? []);

/** Ids of every stored entity that a plan uses. */
export const reusedBy = (plan: PlanNode): readonly string[] => [
  ...new Set([...(plan.entity_id === null ? [] : [plan.entity_id]), ...plan.requires.flatMap(reusedBy)]),
];

const withoutStale = ({ stale_reasons: _, parameters: __, requires, ...node }: PlanNode): PlanNode => ({
  ...node,
  requires: requires.map(withoutStale),
});

const withoutNearest = ({ nearest_id: _, ...node }: PlanNode): PlanNode => node;

/**
 * A plan as a production's record stores it. If it uses nothing of projects it is shared by all equal
 * requests: explanations that name entities of projects are omitted. Any other is stored complete, and
 * visible to members of all its projects; but for what has changed since what is stored was made, and its parameters.
 */
export const recorded = (plan: PlanNode): PlanNode => {
  const told = withoutStale(plan);
  return plan.requires.length > 0 || plan.projects.length === 0 || plan.decision === 'reuse'
    ? told
    : {
        ...withoutNearest(told),
        projects: [],
        reason: `no stored entity can be reused; ${plan.rule ?? ''} produces it`,
      };
};
