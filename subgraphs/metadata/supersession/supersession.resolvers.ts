// Resolvers of superseding entities.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { authorOf } from '../author-of.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { SupersessionSlice } from './supersession.service.ts';

export type SupersessionContext = OperationContext & SupersessionSlice;

export const supersessionResolvers = {
  Mutation: {
    supersedeEntity: (_, { id, replacementId, reason, context }, { supersession, caller }) =>
      supersession.supersede({
        id,
        replacementId,
        reason: reason?.trim() ? reason : null,
        author: authorOf(caller, context ?? null),
      }),
  },
} satisfies Resolvers<SupersessionContext>;
