// Metadata's part of causal chains as a noun.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { readLinks } from '../../../platform/read-links.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { MetadataNoun } from '../noun.ts';
import type { TimeSlice } from '../reading/timeline.ts';
import { CausalLinkService, type CausalLinkSlice } from './causal-links.service.ts';

type CausalLinkContext = OperationContext & CausalLinkSlice & TimeSlice;

export const causalLinks: MetadataNoun<CausalLinkSlice, CausalLinkContext> = {
  typeDefs: readSdl('subgraphs/metadata/causal-links/causal-links.graphql'),
  resolvers: {
    Query: {
      metadataLinks: (_, asked, { causalLinks: links }) =>
        readLinks('metadata', asked, (question) => links.of(question)),
    },
  },
  permissions: { 'Query.metadataLinks': 'links:read' },
  services: ({ database: { pool } }) => ({
    causalLinks: perOperation(
      ({ caller, timeline }) => new CausalLinkService(readingFor(pool, caller), timeline, caller),
    ),
  }),
};
