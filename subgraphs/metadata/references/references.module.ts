// The report of references as a noun of the metadata subgraph.
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { withinTime } from '../within-time.ts';
import { type ReferenceContext, referenceResolvers } from './references.resolvers.ts';
import { ReferenceService, type ReferenceSlice } from './references.service.ts';
import { referenceFaults } from '../reference-checks/references.store.ts';

export const references: MetadataNoun<ReferenceSlice, ReferenceContext> = {
  typeDefs: readSdl('subgraphs/metadata/references/references.graphql'),
  resolvers: referenceResolvers,
  permissions: {
    'Query.referenceFaults': 'metadata:read',
  },
  services: ({ database: { pool }, catalogue }) => ({
    references: new ReferenceService({
      catalogue,
      faults: (fields, after, limit, identity) =>
        withinTime(referenceFaults(pool, fields, after, limit, identity)),
    }),
  }),
};
