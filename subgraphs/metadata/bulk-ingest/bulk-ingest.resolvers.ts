// Resolvers of bulk ingest.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { authorOf } from '../author-of.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { BulkIngestSlice } from './bulk-ingest.service.ts';

export type BulkIngestContext = OperationContext & BulkIngestSlice;

export const bulkIngestResolvers = {
  Mutation: {
    ingestEntities: (
      _,
      { entities, context, allOrNothing, dryRun, bypassValidation },
      { bulkIngest, caller },
    ) =>
      bulkIngest.ingest(entities, authorOf(caller, context ?? null, bypassValidation), {
        allOrNothing: allOrNothing ?? false,
        dryRun: dryRun ?? false,
      }),
  },
} satisfies Resolvers<BulkIngestContext>;
