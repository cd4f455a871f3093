// Bulk ingest in GraphQL: unpack, one call.
import { authorOf, type MetadataContext } from '../metadata-context.ts';
import type { SentEntity } from './bulk-ingest.service.ts';

interface IngestManyArgs { entities: SentEntity[]; context?: string | null; bypassValidation?: boolean | null }

export const bulkIngestResolvers = {
  Mutation: {
    ingestEntities: (_: unknown, { entities, context, bypassValidation }: IngestManyArgs, { bulkIngest, caller }: MetadataContext) =>
      bulkIngest.ingest(entities, authorOf(caller, context ?? null, bypassValidation)),
  },
};
