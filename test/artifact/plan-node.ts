// Plans of one node, for tests of what comes after planning.
import type { PlanNode } from '../../subgraphs/artifact/planning/plan.ts';

/** A node that builds by `greet@1`, but for what is given. */
export const planNode = (given: Partial<PlanNode> & Pick<PlanNode, 'entity_type'>): PlanNode => ({
  criteria: {},
  decision: 'build',
  entity_id: null,
  rule: 'greet@1',
  cwl_hash: 'sha256:00',
  workflow_hash: 'sha256:w0',
  bindings: {},
  reason: '',
  projects: [],
  rules_considered: [],
  requires: [],
  repeated: false,
  ...given,
});
