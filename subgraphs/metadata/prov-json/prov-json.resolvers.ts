// Resolvers of PROV-JSON.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { TimeSlice } from '../reading/timeline.ts';
import type { ProvJsonSlice } from './prov-json.service.ts';

export type ProvJsonContext = OperationContext & ProvJsonSlice & TimeSlice;

export const provJsonResolvers = {
  Query: {
    provenanceDocument: async (_, { entityIds, asOf }, { provJson, timeline, caller }) =>
      provJson.document(entityIds, caller, await timeline.moment(asOf)),
  },
} satisfies Resolvers<ProvJsonContext>;
