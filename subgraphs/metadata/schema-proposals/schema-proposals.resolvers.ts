// Resolvers of proposed schemas.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { SchemaProposalSlice } from './schema-proposals.service.ts';

export type SchemaProposalContext = OperationContext & SchemaProposalSlice;

export const schemaProposalResolvers = {
  Query: {
    proposeSchema: (_, { name, rows, separator, empty }, { schemaProposals, caller }) =>
      schemaProposals.propose(rows, { type: name, separator, empty }, caller),
  },
} satisfies Resolvers<SchemaProposalContext>;
