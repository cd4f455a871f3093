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
    drsObjects: (_, { ids, host }, { drs, caller }) => drs.objects(ids, host, caller),
    drsAccess: (_, { id, accessId }, { drs, caller }) => drs.access(id, accessId, caller),
    drsAuthorizations: (_, { id }) => authorizationsOf(id),
    drsBulkAuthorizations: (_, { ids }) => {
      assertBulk(ids.length);
      return ids.map(authorizationsOf);
    },
    drsAccesses: (_, { requests }, { drs, caller }) => drs.accesses(requests, caller),
    drsService: (_, { website }) => ({
      version: productVersion,
      drsVersion: DRS_VERSION,
      website,
    }),
  },
} satisfies Resolvers<DrsContext>;
