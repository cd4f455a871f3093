// Existence checks as a noun of the metadata subgraph.
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { type ExistenceContext, existenceResolvers } from './existence.resolvers.ts';
import { ExistenceService, type ExistenceSlice } from './existence.service.ts';
import { typesBehind } from './existence.store.ts';

export const existence: MetadataNoun<ExistenceSlice, ExistenceContext> = {
  typeDefs: readSdl('subgraphs/metadata/existence/existence.graphql'),
  resolvers: existenceResolvers,
  permissions: {
    'Query.entitiesPresent': 'metadata:read',
  },
  services: ({ database: { pool }, catalogue }) => ({
    existence: new ExistenceService({
      catalogue,
      typesBehind: (names, identity) => typesBehind(pool, names, identity),
    }),
  }),
};
