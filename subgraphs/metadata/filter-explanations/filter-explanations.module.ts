// Explained filters as a noun of the metadata subgraph.
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { type FilterContext, filterResolvers } from './filter-explanations.resolvers.ts';

export const filters: MetadataNoun<object, FilterContext> = {
  typeDefs: readSdl('subgraphs/metadata/filter-explanations/filter-explanations.graphql'),
  resolvers: filterResolvers,
  permissions: {
    'Query.explainFilter': 'metadata:read',
  },
  services: () => ({}),
};
