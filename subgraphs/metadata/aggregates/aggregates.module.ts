// Aggregates as a noun of the metadata subgraph.
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { type AggregateContext, aggregateResolvers } from './aggregates.resolvers.ts';
import { AggregateService, type AggregateSlice } from './aggregates.service.ts';
import { planOfGroups, readGroups } from './aggregates.store.ts';
import { readFacets } from './facets.store.ts';

export const aggregates: MetadataNoun<AggregateSlice, AggregateContext> = {
  typeDefs: readSdl('subgraphs/metadata/aggregates/aggregates.graphql'),
  resolvers: aggregateResolvers,
  permissions: {
    'Query.aggregate': 'metadata:read',
    'Query.explainAggregate': 'metadata:read',
    'Query.facets': 'metadata:read',
  },
  services: ({ database: { pool }, reads, entities, catalogue }) => ({
    aggregates: new AggregateService({
      entities,
      catalogue,
      read: (query) => reads((on) => readGroups(on, query), query.at !== null || undefined),
      planOf: (query) => planOfGroups(pool, query),
      readFacets: (query) => reads((on) => readFacets(on, query), query.at !== null || undefined),
    }),
  }),
};
