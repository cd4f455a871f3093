// Resolvers of existence checks.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ExistenceSlice } from './existence.service.ts';

export type ExistenceContext = OperationContext & ExistenceSlice;

export const existenceResolvers = {
  Query: {
    entitiesPresent: (_, { entities: expected }, { existence, caller }) =>
      existence.arePresent(expected, caller),
  },
} satisfies Resolvers<ExistenceContext>;
