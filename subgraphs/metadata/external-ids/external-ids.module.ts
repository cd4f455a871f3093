// External ids as a noun of the metadata subgraph.
import { keyedLoader } from '../../../platform/keyed-loader.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { type ExternalIdContext, externalIdResolvers } from './external-ids.resolvers.ts';
import { ExternalIdService, type ExternalIdSlice } from './external-ids.service.ts';
import { ownerOf, ownersOfAnyType, recordById, recordsOf } from './external-ids.store.ts';

export const externalIds: MetadataNoun<ExternalIdSlice, ExternalIdContext> = {
  typeDefs: readSdl('subgraphs/metadata/external-ids/external-ids.graphql'),
  resolvers: externalIdResolvers,
  permissions: {
    'Query.externalIds': 'metadata:read',
    'Query.supersededExternalIds': 'metadata:read',
    'Query.entityByExternalId': 'metadata:read',
    'Mutation.registerExternalId': 'metadata:write',
    'Mutation.supersedeExternalId': 'metadata:write',
  },
  services({ database: { pool }, entities, door }) {
    const service = new ExternalIdService({
      entity: (id, identity, at) => entities.get(id, identity, at),
      write: (one) => door.write(one),
      recordsOf: (ids, standing, at) => recordsOf(pool, ids, standing, at),
      recordById: (id) => recordById(pool, id),
      ownerOf: (idType, value, at) => ownerOf(pool, idType, value, at),
      ownersOfAnyType: (value, identity, at) => ownersOfAnyType(pool, value, identity, at),
    });
    return {
      externalIds: service,
      externalIdsOf: perOperation(() =>
        keyedLoader((ids, { standing, at }) => service.ofMany(ids, standing, at), []),
      ),
    };
  },
};
