// The workflow's part of causal chains as a noun.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { readLinks } from '../../../platform/read-links.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { PastSlice } from '../../../platform/past/past.ts';
import type { WorkflowNoun } from '../noun.ts';
import { CausalLinkService, type CausalLinkSlice } from './causal-links.service.ts';

type CausalLinkContext = OperationContext & CausalLinkSlice & PastSlice;

export const causalLinks: WorkflowNoun<CausalLinkSlice, CausalLinkContext> = {
  typeDefs: readSdl('subgraphs/workflow/causal-links/causal-links.graphql'),
  resolvers: {
    Query: {
      workflowLinks: (_, asked, { causalLinks: links }) =>
        readLinks('workflow', asked, (question) => links.of(question)),
    },
  },
  permissions: { 'Query.workflowLinks': 'links:read' },
  services: ({ database: { pool } }) => ({
    causalLinks: perOperation(
      ({ caller, past }) => new CausalLinkService(readingFor(pool, caller), past, caller),
    ),
  }),
};
