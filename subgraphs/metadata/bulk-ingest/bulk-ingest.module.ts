// Bulk ingest as a noun of the metadata subgraph.
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { type BulkIngestContext, bulkIngestResolvers } from './bulk-ingest.resolvers.ts';
import { BulkIngestService, type BulkIngestSlice } from './bulk-ingest.service.ts';

export const bulkIngest: MetadataNoun<BulkIngestSlice, BulkIngestContext> = {
  typeDefs: readSdl('subgraphs/metadata/bulk-ingest/bulk-ingest.graphql'),
  resolvers: bulkIngestResolvers,
  permissions: {
    'Mutation.ingestEntities': 'metadata:write',
  },
  services: ({ door, log }) => ({
    bulkIngest: new BulkIngestService({
      writeAll: (writes) => door.writeAll(writes),
      onFault: (err) => {
        log.error({ err }, 'an entity of a bulk ingest failed');
      },
    }),
  }),
};
