// Resolvers of DRS.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { productVersion } from '../../../platform/product-version.ts';
import type { TimeSlice } from '../reading/timeline.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { assertBulk, DRS_VERSION, type DrsSlice } from './drs.service.ts';

export type DrsContext = OperationContext & DrsSlice & TimeSlice;

/** The same for every object, whether it is there or not. */
const authorizationsOf = (id: string) => ({ objectId: id, supportedTypes: ['BearerAuth'] });

export const drsResolvers = {
  Query: {
    drsObject: async (_, { id, host, asOf }, { drs, timeline, caller }) =>
      drs.object(id, host, caller, await timeline.moment(asOf)),
    drsObjects: async (_, { ids, host }, { drs, timeline, caller }) =>
      drs.objects(ids, host, caller, await timeline.moment(null)),
    drsAccess: async (_, { id, accessId }, { drs, timeline, caller }) =>
      drs.access(id, accessId, caller, await timeline.moment(null)),
    drsAuthorizations: (_, { id }) => authorizationsOf(id),
    drsBulkAuthorizations: (_, { ids }) => {
      assertBulk(ids.length);
      return ids.map(authorizationsOf);
    },
    drsAccesses: async (_, { requests }, { drs, timeline, caller }) =>
      drs.accesses(requests, caller, await timeline.moment(null)),
    drsService: (_, { website }) => ({
      version: productVersion,
      drsVersion: DRS_VERSION,
      website,
    }),
  },
} satisfies Resolvers<DrsContext>;
