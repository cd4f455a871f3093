// DRS in GraphQL: unpack, one call.
import { productVersion } from '../../../platform/product-version.ts';
import type { MetadataContext } from '../metadata-context.ts';
import { DRS_VERSION } from './drs.service.ts';

export const drsResolvers = {
  Query: {
    drsObject: (_: unknown, { id, host }: { id: string; host: string }, { drs, caller }: MetadataContext) => drs.object(id, host, caller),
    drsService: (_: unknown, { website }: { website: string }) => ({ version: productVersion, drsVersion: DRS_VERSION, website }),
  },
};
