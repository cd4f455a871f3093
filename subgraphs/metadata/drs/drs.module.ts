// DRS objects as a noun of the metadata subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { readSdl } from '../../../platform/subgraph-module.ts';
import { recordsOf } from '../external-ids/external-ids.store.ts';
import type { MetadataNoun } from '../noun.ts';
import { type DrsContext, drsResolvers } from './drs.resolvers.ts';
import { DrsService, type DrsSlice } from './drs.service.ts';
import { idsHolding } from './drs.store.ts';

export const drs: MetadataNoun<DrsSlice, DrsContext> = {
  typeDefs: readSdl('subgraphs/metadata/drs/drs.graphql'),
  resolvers: drsResolvers,
  permissions: {
    'Query.drsObject': 'metadata:read',
    'Query.drsObjects': 'metadata:read',
    'Query.drsAccess': 'metadata:read',
    'Query.drsAuthorizations': 'metadata:read',
    'Query.drsBulkAuthorizations': 'metadata:read',
    'Query.drsAccesses': 'metadata:read',
    'Query.drsService': 'metadata:read',
  },
  services: ({ database: { pool }, entities, publicUrl }) => ({
    drs: new DrsService({
      publicUrl,
      entity: (id, identity, at) => entities.get(id, identity, at),
      externalIds: async (id, at) =>
        (await recordsOf(pool, [id], 'active', at)).map((record) => record.externalId),
      idsHolding: (shapes, limit, identity, at) =>
        idsHolding(readingFor(pool, identity), shapes, limit, identity, at),
    }),
  }),
};
