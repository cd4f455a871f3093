// Superseding entities in GraphQL: unpack, one call.
import { authorOf, type MetadataContext } from '../metadata-context.ts';

interface SupersedeArgs {
  id: string;
  replacementId: string;
  reason?: string | null;
  context?: string | null;
}

export const supersessionResolvers = {
  Mutation: {
    supersedeEntity: (
      _: unknown,
      { id, replacementId, reason, context }: SupersedeArgs,
      { supersession, caller }: MetadataContext,
    ) =>
      supersession.supersede({
        id,
        replacementId,
        reason: reason?.trim() ? reason : null,
        author: authorOf(caller, context ?? null),
      }),
  },
};
