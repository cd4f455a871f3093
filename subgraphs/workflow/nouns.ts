// The nouns of the workflow subgraph.
import { dateTimeScalar } from '../../platform/date-time-scalar.ts';
import type { OperationContext } from '../../platform/operation-context.ts';
import { Past, type PastSlice } from '../../platform/past/past.ts';
import { perOperation, permissionsOf, readSdl, type SlicesOf } from '../../platform/subgraph-module.ts';
import { causalLinks } from './causal-links/causal-links.module.ts';
import { differences } from './differences/differences.module.ts';
import type { WorkflowNoun } from './noun.ts';
import { observations } from './observations/observations.module.ts';
import { runLogs } from './run-logs/run-logs.module.ts';
import { runs } from './runs/runs.module.ts';
import { triggers } from './triggers/triggers.module.ts';

const scalars: WorkflowNoun<PastSlice> = {
  typeDefs: readSdl('subgraphs/workflow/schema.graphql'),
  resolvers: { DateTime: dateTimeScalar() },
  permissions: {},
  services: ({ database }) => ({
    past: perOperation(({ caller }) => new Past(database.pool, 'workflow', caller)),
  }),
};

// in the order of the subgraph's SDL
export const WORKFLOW_NOUNS = [
  scalars,
  triggers,
  runs,
  runLogs,
  observations,
  causalLinks,
  differences,
] as const;

export type WorkflowContext = OperationContext & SlicesOf<typeof WORKFLOW_NOUNS>;

/** The permissions of the root fields (docs/reference/workflow.md#roles). */
export const workflowPermissions = permissionsOf(WORKFLOW_NOUNS);
