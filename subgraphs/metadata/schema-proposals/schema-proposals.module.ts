// Proposed schemas as a noun of the metadata subgraph.
import { readSdl } from '../../../platform/subgraph-module.ts';
import { typesBehind } from '../existence/existence.store.ts';
import type { MetadataNoun } from '../noun.ts';
import { type SchemaProposalContext, schemaProposalResolvers } from './schema-proposals.resolvers.ts';
import { SchemaProposalService, type SchemaProposalSlice } from './schema-proposals.service.ts';

export const schemaProposals: MetadataNoun<SchemaProposalSlice, SchemaProposalContext> = {
  typeDefs: readSdl('subgraphs/metadata/schema-proposals/schema-proposals.graphql'),
  resolvers: schemaProposalResolvers,
  permissions: {
    'Query.proposeSchema': 'metadata:write',
  },
  services: ({ database: { pool } }) => ({
    schemaProposals: new SchemaProposalService({
      typesBehind: (names, identity) => typesBehind(pool, names, identity),
    }),
  }),
};
