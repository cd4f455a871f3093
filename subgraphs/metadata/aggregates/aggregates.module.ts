// Aggregates as a noun of the metadata subgraph.
import type { Connections } from '../../../platform/database/transaction.ts';
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { type AggregateContext, aggregateResolvers } from './aggregates.resolvers.ts';
import { AggregateService, type AggregateSlice } from './aggregates.service.ts';
import { planOfGroups, readGroups } from './aggregates.store.ts';
import { readFacets } from './facets.store.ts';
import type { Matches } from '../reading/page-request.ts';
import { readSettled } from '../reading/settle.ts';
import { withinTime } from '../within-time.ts';

export const aggregates: MetadataNoun<AggregateSlice, AggregateContext> = {
  typeDefs: readSdl('subgraphs/metadata/aggregates/aggregates.graphql'),
  resolvers: aggregateResolvers,
  permissions: {
    'Query.aggregate': 'metadata:read',
    'Query.explainAggregate': 'metadata:read',
    'Query.facets': 'metadata:read',
  },
  services: ({ database: { pool }, reads, entities, catalogue }) => {
    const reading = <Q extends Matches, T>(
      query: Q,
      read: (on: Connections, query: Q) => Promise<T>,
    ): Promise<T> => withinTime(reads((on) => readSettled(on, query, read), query.at !== null || undefined));
    return {
      aggregates: new AggregateService({
        entities,
        catalogue,
        read: (query) => reading(query, readGroups),
        planOf: (query) => withinTime(readSettled(pool, query, planOfGroups)),
        readFacets: (query) => reading(query, readFacets),
      }),
    };
  },
};
