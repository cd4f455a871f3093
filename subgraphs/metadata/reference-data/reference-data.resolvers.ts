// Resolvers of reference data.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { authorOf } from '../author-of.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ReferenceDataSlice } from './reference-data.service.ts';

export type ReferenceDataContext = OperationContext & ReferenceDataSlice;

export const referenceDataResolvers = {
  Mutation: {
    installReferenceData: (_, { loader, version, entities, context }, { referenceData, caller }) =>
      referenceData.install(loader, version, entities, authorOf(caller, context ?? null)),
  },
} satisfies Resolvers<ReferenceDataContext>;
