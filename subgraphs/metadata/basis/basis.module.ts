// The basis of answers as a noun of the metadata subgraph.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { passedInstant } from '../../../platform/past/past.store.ts';
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import type { TimeSlice } from '../reading/timeline.ts';
import { BasisService, type BasisSlice } from './basis.service.ts';

type BasisContext = OperationContext & BasisSlice & TimeSlice;

export const basis: MetadataNoun<BasisSlice, BasisContext> = {
  typeDefs: readSdl('subgraphs/metadata/basis/basis.graphql'),
  resolvers: {
    Query: {
      basis: (_, { asOf }, { basis: told, timeline, caller }) =>
        told.at(asOf ?? caller.asOf ?? null, timeline, caller),
    },
  },
  permissions: { 'Query.basis': 'authenticated' },
  services: ({ database: { pool }, registry }) => ({
    basis: new BasisService({
      passed: (instant) => passedInstant(pool, instant),
      revision: () => String(registry.current().revision),
    }),
  }),
};
