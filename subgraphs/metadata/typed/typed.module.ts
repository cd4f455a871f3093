// The typed part of the graph as a noun of the metadata subgraph.
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import type { TypedSlice } from './typed-api.ts';
import { type TypedContext, typedSchemaResolvers } from './typed.resolvers.ts';

export const typed: MetadataNoun<TypedSlice, TypedContext> = {
  typeDefs: readSdl('subgraphs/metadata/typed/typed.graphql'),
  resolvers: typedSchemaResolvers,
  permissions: {
    'Query.typedSchema': 'metadata:read',
    // the extension that follows the registered schemas
    'Query.typed': 'metadata:read',
  },
  services: ({ typedSchema }) => ({ typedSchema }),
};
