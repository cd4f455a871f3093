// Bulk ingest in GraphQL: unpack, one call.
import { authorOf, type MetadataContext } from '../metadata-context.ts';
import type { SentEntity } from './bulk-ingest.service.ts';

interface IngestManyArgs {
  entities: SentEntity[];
  context?: string | null;
  allOrNothing?: boolean | null;
  bypassValidation?: boolean | null;
}

export const bulkIngestResolvers = {
  Mutation: {
    ingestEntities: (
      _: unknown,
      { entities, context, allOrNothing, bypassValidation }: IngestManyArgs,
      { bulkIngest, caller }: MetadataContext,
    ) =>
      bulkIngest.ingest(entities, authorOf(caller, context ?? null, bypassValidation), allOrNothing ?? false),
  },
};
