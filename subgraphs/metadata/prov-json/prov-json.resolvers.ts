// PROV-JSON in GraphQL: unpack, one call.
import type { MetadataContext } from '../metadata-context.ts';

export const provJsonResolvers = {
  Query: {
    provenanceDocument: (
      _: unknown,
      { entityIds }: { entityIds: string[] },
      { provJson, caller }: MetadataContext,
    ) => provJson.document(entityIds, caller),
  },
};
