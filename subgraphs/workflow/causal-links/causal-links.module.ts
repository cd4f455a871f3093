// The workflow's part of causal chains as a noun.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { readLinks } from '../../../platform/read-links.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { WorkflowNoun } from '../noun.ts';
import { CausalLinkService, type CausalLinkSlice } from './causal-links.service.ts';

export const causalLinks: WorkflowNoun<CausalLinkSlice> = {
  typeDefs: readSdl('subgraphs/workflow/causal-links/causal-links.graphql'),
  resolvers: {
    Query: {
      workflowLinks: (_, asked, { causalLinks: links }) =>
        readLinks('workflow', asked, (question) => links.of(question)),
    },
  },
  permissions: { 'Query.workflowLinks': 'workflow:read' },
  services: ({ database: { pool } }) => ({
    causalLinks: perOperation(({ caller }) => new CausalLinkService(readingFor(pool, caller), caller)),
  }),
};
