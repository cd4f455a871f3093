// DRS in GraphQL: unpack, one call.
import { productVersion } from '../../../platform/product-version.ts';
import type { MetadataContext } from '../metadata-context.ts';
import { DRS_VERSION } from './drs.service.ts';

export const drsResolvers = {
  Query: {
    drsObject: async (
      _: unknown,
      { id, host, asOf }: { id: string; host: string; asOf?: string | null },
      { drs, timeline, caller }: MetadataContext,
    ) => drs.object(id, host, caller, await timeline.moment(asOf)),
    drsService: (_: unknown, { website }: { website: string }) => ({
      version: productVersion,
      drsVersion: DRS_VERSION,
      website,
    }),
  },
};
