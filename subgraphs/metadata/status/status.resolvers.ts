// The component's status in GraphQL: one call, asked only for what is selected.
import type { MetadataContext } from '../metadata-context.ts';

export const statusResolvers = {
  Query: {
    metadataService: (_: unknown, __: unknown, { status }: MetadataContext) => status.about(),
  },
  MetadataService: {
    status: (_: unknown, __: unknown, { status }: MetadataContext) => status.status(),
    fault: (_: unknown, __: unknown, { status }: MetadataContext) => status.fault(),
  },
};
