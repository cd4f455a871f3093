// Bulk ingest as a noun of the metadata subgraph.
import { readSdl } from '../../../platform/subgraph-module.ts';
import { withLogView } from '../log/log.store.ts';
import { rehearseAll } from '../log/rehearse.ts';
import type { MetadataNoun } from '../noun.ts';
import { refuse } from '../validation/validation-failed.ts';
import { type BulkIngestContext, bulkIngestResolvers } from './bulk-ingest.resolvers.ts';
import { BulkIngestService, type BulkIngestSlice } from './bulk-ingest.service.ts';

export const bulkIngest: MetadataNoun<BulkIngestSlice, BulkIngestContext> = {
  typeDefs: readSdl('subgraphs/metadata/bulk-ingest/bulk-ingest.graphql'),
  resolvers: bulkIngestResolvers,
  permissions: {
    'Mutation.ingestEntities': 'metadata:write',
  },
  services: ({ door, log, database: { pool }, catalogue, pipeline }) => ({
    bulkIngest: new BulkIngestService({
      writeAll: (writes) => door.writeAll(writes),
      rehearseAll: (writes) =>
        rehearseAll(
          (work) => withLogView(pool, catalogue(), work),
          writes,
          (asked, { bypassValidation }) => refuse(pipeline.execute(asked, bypassValidation)),
        ),
      onFault: (err) => {
        log.error({ err }, 'an entity of a bulk ingest failed');
      },
    }),
  }),
};
