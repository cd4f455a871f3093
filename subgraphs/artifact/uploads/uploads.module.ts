// Uploads as a noun of the artifact subgraph.
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { AttachmentSlice } from '../attachments/attachments.service.ts';
import type { ArtifactNoun } from '../noun.ts';
import { type UploadContext, uploadResolvers } from './uploads.resolvers.ts';
import { UploadService, type UploadSlice } from './uploads.service.ts';

export const uploads: ArtifactNoun<UploadSlice, UploadContext & AttachmentSlice> = {
  typeDefs: readSdl('subgraphs/artifact/uploads/uploads.graphql'),
  resolvers: uploadResolvers,
  permissions: {
    'Query.upload': 'artifact:upload',
    'Query.uploads': 'artifact:upload',
    'Query.uploadedFiles': 'artifact:upload',
    'Query.uploadLimits': 'artifact:read',
    'Mutation.createUpload': 'artifact:upload',
    'Mutation.cancelUpload': 'artifact:upload',
  },
  services: ({ receiving }) => ({
    uploads: perOperation(
      ({ caller, attachments }) =>
        new UploadService(receiving, caller, (entityId, field) => attachments.check(entityId, field)),
    ),
  }),
};
