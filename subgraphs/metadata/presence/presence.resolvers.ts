// Presence in GraphQL: unpack, one call.
import type { MetadataContext } from '../metadata-context.ts';
import type { ExpectedEntity } from './presence.service.ts';

export const presenceResolvers = {
  Query: {
    entitiesPresent: (
      _: unknown,
      { entities: expected }: { entities: readonly ExpectedEntity[] },
      { presence, caller }: MetadataContext,
    ) => presence.arePresent(expected, caller),
  },
};
