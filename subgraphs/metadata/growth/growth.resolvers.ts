// Resolvers of the growth of types.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { GrowthSlice } from './growth.service.ts';

export type GrowthContext = OperationContext & GrowthSlice;

export const growthResolvers = {
  Query: {
    entityGrowth: (_, { days, project }, { growth, caller }) => growth.of(days, project ?? null, caller),
  },
} satisfies Resolvers<GrowthContext>;
