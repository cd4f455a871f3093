// Resolvers of the component's status: each part is only computed if selected.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { StatusSlice } from './status.service.ts';

export type StatusContext = OperationContext & StatusSlice;

export const statusResolvers = {
  Query: {
    metadataService: (_, __, { status }) => status.about(),
  },
  MetadataService: {
    status: (_, __, { status }) => status.status(),
    fault: (_, __, { status }) => status.fault(),
  },
} satisfies Resolvers<StatusContext>;
