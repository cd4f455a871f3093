// Resolvers of uploads.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { FileSlice } from '../files/files.service.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { UploadSlice } from './uploads.service.ts';

export type UploadContext = OperationContext & UploadSlice & FileSlice;

export const uploadResolvers = {
  Query: {
    upload: (_, { id }, { uploads }) => uploads.get(id),
    uploads: (_, { limit, cursor }, { uploads }) => uploads.page(limit, cursor ?? null),
    uploadedFiles: (_, { limit, cursor }, { uploads }) => uploads.files(limit, cursor ?? null),
    uploadLimits: (_, __, { uploads }) => uploads.limits,
  },
  Mutation: {
    createUpload: (_, { length, hash, name, mediaType, entityId, field, context, metadata }, { uploads }) =>
      uploads.create({
        length: length ?? null,
        hash: hash ?? null,
        name: name ?? null,
        mediaType: mediaType ?? null,
        entityId: entityId ?? null,
        field: field ?? null,
        context: context ?? null,
        metadata: metadata ?? null,
      }),
    cancelUpload: (_, { id }, { uploads }) => uploads.cancel(id),
  },
  Upload: {
    file: ({ hash, finishedAt }, _, { files }) =>
      hash === null || finishedAt === null ? null : files.get(hash),
  },
  UploadedFile: {
    file: ({ hash }, _, { files }) => files.uploaded(hash),
  },
} satisfies Resolvers<UploadContext>;
