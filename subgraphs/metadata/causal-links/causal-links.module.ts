// Metadata's part of causal chains as a noun.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { readLinks } from '../../../platform/read-links.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { CausalLinkService, type CausalLinkSlice } from './causal-links.service.ts';

export const causalLinks: MetadataNoun<CausalLinkSlice> = {
  typeDefs: readSdl('subgraphs/metadata/causal-links/causal-links.graphql'),
  resolvers: {
    Query: {
      metadataLinks: (_, asked, { causalLinks: links }) =>
        readLinks('metadata', asked, (question) => links.of(question)),
    },
  },
  permissions: { 'Query.metadataLinks': 'provenance:read' },
  services: ({ database: { pool } }) => ({
    causalLinks: perOperation(({ caller }) => new CausalLinkService(readingFor(pool, caller), caller)),
  }),
};
