// What differs between runs, as a noun of the workflow subgraph.
import { documentPatch, RUN_DOCUMENT } from '../../../platform/documents.ts';
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { WorkflowNoun } from '../noun.ts';
import type { RunContext } from '../runs/runs.resolvers.ts';
import { runDiffOf } from './run-diff.ts';

export const differences: WorkflowNoun<Record<never, never>, RunContext> = {
  typeDefs: readSdl('subgraphs/workflow/differences/differences.graphql'),
  resolvers: {
    Query: {
      runDiff: async (_, { runId, toRunId }, { runs, observations }) => {
        const [before, after] = await Promise.all([runs.get(runId), runs.get(toRunId)]);
        return before && after && runDiffOf(before, after, (run) => observations.causeOf(run));
      },
    },
    RunDiff: {
      jsonPatch: (diff, _, context, { schema }) => documentPatch(diff, RUN_DOCUMENT, { context, schema }),
    },
  },
  permissions: { 'Query.runDiff': 'workflow:read' },
  services: () => ({}),
};
