// What differs between states of entities, and between two moments of a set, as a noun of the metadata subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { type DifferenceContext, differenceResolvers } from './differences.resolvers.ts';
import { statesHolding } from '../search/states-holding.ts';
import { DifferenceService, type DifferenceSlice } from './differences.service.ts';
import { changedEntities } from './differences.store.ts';

export const differences: MetadataNoun<DifferenceSlice, DifferenceContext> = {
  typeDefs: readSdl('subgraphs/metadata/differences/differences.graphql'),
  resolvers: differenceResolvers,
  permissions: {
    'Query.entityDiff': 'provenance:read',
    'Query.entitiesDiff': 'provenance:read',
    'Query.schemaDiff': 'metadata:read',
    'Subscription.exportEntitiesDiff': 'provenance:read',
  },
  services: ({ database: { pool }, entities, catalogue }) => ({
    setDifferences: new DifferenceService({
      entities,
      changed: (sets, span, identity) => changedEntities(readingFor(pool, identity, false), sets, span),
      holding: (query, states) => statesHolding(pool, query, states, catalogue()),
    }),
  }),
};
