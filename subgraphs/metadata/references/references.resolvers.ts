// Resolvers of the report of references.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { typeSought } from '../schemas/schemas.resolvers.ts';
import type { TimeSlice } from '../reading/timeline.ts';
import type { SchemaSlice } from '../schemas/schemas.service.ts';
import type { ReferenceSlice } from './references.service.ts';

export type ReferenceContext = OperationContext & ReferenceSlice & SchemaSlice & TimeSlice;

export const referenceResolvers = {
  Query: {
    referenceFaults: async (_, { entityType, limit, cursor }, context) =>
      (await typeSought(entityType, context)) &&
      context.references.faults(entityType, { limit: limit ?? 100, cursor: cursor ?? null }, context.caller),
  },
} satisfies Resolvers<ReferenceContext>;
