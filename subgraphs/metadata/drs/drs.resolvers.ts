// Resolvers of DRS.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { productVersion } from '../../../platform/product-version.ts';
import type { TimeSlice } from '../reading/timeline.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { DRS_VERSION, type DrsSlice } from './drs.service.ts';

export type DrsContext = OperationContext & DrsSlice & TimeSlice;

export const drsResolvers = {
  Query: {
    drsObject: async (_, { id, host, asOf }, { drs, timeline, caller }) =>
      drs.object(id, host, caller, await timeline.moment(asOf)),
    drsService: (_, { website }) => ({
      version: productVersion,
      drsVersion: DRS_VERSION,
      website,
    }),
  },
} satisfies Resolvers<DrsContext>;
