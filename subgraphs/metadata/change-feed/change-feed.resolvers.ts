// The change feed in GraphQL: unpack, one call.
import type { MetadataContext } from '../metadata-context.ts';
import type { FeedItem } from './change-feed.service.ts';

interface FeedArgs {
  types?: string[] | null;
  entityTypes?: string[] | null;
  filter?: string | null;
  after?: string | null;
}

export const changeFeedResolvers = {
  Query: {
    provenanceToken: (_: unknown, __: unknown, { changeFeed }: MetadataContext) => changeFeed.endToken(),
  },
  Subscription: {
    provenanceEvents: {
      subscribe: (
        _: unknown,
        { types, entityTypes, filter, after }: FeedArgs,
        { changeFeed, caller }: MetadataContext,
      ) =>
        changeFeed.open(
          {
            types: types ?? null,
            entityTypes: entityTypes ?? null,
            filter: filter ?? null,
            after: after ?? null,
          },
          caller,
          caller.signal,
        ),
      resolve: (item: FeedItem) => item,
    },
  },
};
