// Resolvers of stored files.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { FileSlice } from './files.service.ts';

export type FileContext = OperationContext & FileSlice;

export const fileResolvers = {
  Mutation: {
    evictFiles: (_, { hash, olderThan, entityType, all }, { files }) =>
      files.evict({ hash: hash ?? null, olderThan: olderThan ?? null, entityType: entityType ?? null, all }),
    verifyFiles: (_, { limit, after }, { files }) => files.verify(limit, after ?? null),
  },
  Query: {
    storeUsage: (_, { olderThan, entityType }, { files }) =>
      files.usage(olderThan ?? null, entityType ?? null),
    storedFile: (_, { hash }, { files }) => files.get(hash),
    entityFile: (_, { entityId, field, asOf }, { files }) => files.ofField(entityId, field, asOf ?? null),
  },
  StoreUsage: {
    byType: (_, __, { files }) => files.usageByType(),
  },
  StoredFile: {
    url: ({ hash }, _, { files }) => files.addressOf(hash),
    downloadUrl: (file, _, { files }) => files.linkTo(file),
  },
} satisfies Resolvers<FileContext>;
