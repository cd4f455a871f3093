// The report of references in GraphQL: unpack, one call.
import type { MetadataContext } from '../metadata-context.ts';

interface FaultsArgs {
  entityType: string;
  limit?: number | null;
  cursor?: string | null;
}

export const referenceResolvers = {
  Query: {
    referenceFaults: (
      _: unknown,
      { entityType, limit, cursor }: FaultsArgs,
      { references, caller }: MetadataContext,
    ) => references.faults(entityType, { limit: limit ?? 100, cursor: cursor ?? null }, caller),
  },
};
