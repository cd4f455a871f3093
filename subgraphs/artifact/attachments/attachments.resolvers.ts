// Resolvers of attaching files.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { AttachmentSlice } from './attachments.service.ts';

export type AttachmentContext = OperationContext & AttachmentSlice;

export const attachmentResolvers = {
  Mutation: {
    attachFile: (_, { entityId, field, hash, name, ifVersionIn, context }, { attachments }) =>
      attachments.attach({
        entityId,
        field,
        hash,
        name: name ?? null,
        versions: ifVersionIn ?? null,
        context: context ?? null,
      }),
  },
} satisfies Resolvers<AttachmentContext>;
