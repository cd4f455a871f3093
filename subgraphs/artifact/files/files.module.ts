// Stored files as a noun of the artifact subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { ArtifactNoun } from '../noun.ts';
import { type FileContext, fileResolvers } from './files.resolvers.ts';
import { FileService, type FileSlice } from './files.service.ts';

export const files: ArtifactNoun<FileSlice, FileContext> = {
  typeDefs: readSdl('subgraphs/artifact/files/files.graphql'),
  resolvers: fileResolvers,
  permissions: {
    'Query.storedFile': 'artifact:read',
    'Query.entityFile': 'artifact:read',
    'Query.storeUsage': 'artifact:evict',
    'Mutation.evictFiles': 'artifact:evict',
    'Mutation.verifyFiles': 'artifact:evict',
  },
  services: ({ pool, ask, productions: { storage } }) => ({
    files: perOperation(({ caller }) => new FileService(readingFor(pool, caller), ask, storage, caller)),
  }),
};
