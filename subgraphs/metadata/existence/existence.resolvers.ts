// Resolvers of existence checks.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { PresenceSlice } from './existence.service.ts';

export type PresenceContext = OperationContext & PresenceSlice;

export const presenceResolvers = {
  Query: {
    entitiesPresent: (_, { entities: expected }, { presence, caller }) =>
      presence.arePresent(expected, caller),
  },
} satisfies Resolvers<PresenceContext>;
