// Resolvers of bulk ingest.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { authorOf } from '../author-of.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { BulkIngestSlice } from './bulk-ingest.service.ts';

export type BulkIngestContext = OperationContext & BulkIngestSlice;

export const bulkIngestResolvers = {
  Mutation: {
    ingestEntities: (_, { entities, context, allOrNothing, bypassValidation }, { bulkIngest, caller }) =>
      bulkIngest.ingest(entities, authorOf(caller, context ?? null, bypassValidation), allOrNothing ?? false),
  },
} satisfies Resolvers<BulkIngestContext>;
