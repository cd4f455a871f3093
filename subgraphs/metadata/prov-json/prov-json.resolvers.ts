// Resolvers of PROV-JSON.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ProvJsonSlice } from './prov-json.service.ts';

export type ProvJsonContext = OperationContext & ProvJsonSlice;

export const provJsonResolvers = {
  Query: {
    provenanceDocument: (_, { entityIds }, { provJson, caller }) => provJson.document(entityIds, caller),
  },
} satisfies Resolvers<ProvJsonContext>;
