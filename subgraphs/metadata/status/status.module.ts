// The component's status as a noun of the metadata subgraph.
import { productVersion } from '../../../platform/product-version.ts';
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { type StatusContext, statusResolvers } from './status.resolvers.ts';
import { StatusService, type StatusSlice } from './status.service.ts';
import { faultOf } from './status.store.ts';

export const status: MetadataNoun<StatusSlice, StatusContext> = {
  typeDefs: readSdl('subgraphs/metadata/status/status.graphql'),
  resolvers: statusResolvers,
  permissions: {
    'Query.metadataService': 'authenticated',
  },
  services: ({ database: { pool }, docs, log, clockAheadSeconds }) => ({
    status: new StatusService(productVersion, docs, () => faultOf(pool, log, clockAheadSeconds)),
  }),
};
