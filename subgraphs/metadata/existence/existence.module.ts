// Existence checks as a noun of the metadata subgraph.
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { type PresenceContext, presenceResolvers } from './existence.resolvers.ts';
import { PresenceService, type PresenceSlice } from './existence.service.ts';
import { typesBehind } from './existence.store.ts';

export const existence: MetadataNoun<PresenceSlice, PresenceContext> = {
  typeDefs: readSdl('subgraphs/metadata/existence/existence.graphql'),
  resolvers: presenceResolvers,
  permissions: {
    'Query.entitiesPresent': 'metadata:read',
  },
  services: ({ database: { pool }, catalogue }) => ({
    presence: new PresenceService({
      catalogue,
      typesBehind: (names, identity) => typesBehind(pool, names, identity),
    }),
  }),
};
