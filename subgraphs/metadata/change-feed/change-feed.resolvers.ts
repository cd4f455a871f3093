// Resolvers of the change feed.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ChangeFeedSlice, FeedItem } from './change-feed.service.ts';

export type ChangeFeedContext = OperationContext & ChangeFeedSlice;

export const changeFeedResolvers = {
  Query: {
    provenanceToken: (_, __, { changeFeed }) => changeFeed.endToken(),
  },
  Subscription: {
    provenanceEvents: {
      subscribe: (_, { types, entityTypes, filter, after }, { changeFeed, caller }) =>
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
} satisfies Resolvers<ChangeFeedContext>;
