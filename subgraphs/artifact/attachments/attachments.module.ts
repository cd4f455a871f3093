// Attaching files as a noun of the artifact subgraph.
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { FileSlice } from '../files/files.service.ts';
import type { ArtifactNoun } from '../noun.ts';
import { type AttachmentContext, attachmentResolvers } from './attachments.resolvers.ts';
import { AttachmentService, type AttachmentSlice } from './attachments.service.ts';

export const attachments: ArtifactNoun<AttachmentSlice, AttachmentContext & FileSlice> = {
  typeDefs: readSdl('subgraphs/artifact/attachments/attachments.graphql'),
  resolvers: attachmentResolvers,
  permissions: { 'Mutation.attachFile': 'artifact:upload' },
  services: ({ pool, ask, publicUrl }) => ({
    attachments: perOperation(
      ({ caller, files }) =>
        new AttachmentService({ db: pool, ask, publicUrl, usable: (hash) => files.get(hash) }, caller),
    ),
  }),
};
