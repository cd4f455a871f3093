// Supersession as a noun of the metadata subgraph.
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { type SupersessionContext, supersessionResolvers } from './supersession.resolvers.ts';
import { SupersessionService, type SupersessionSlice } from './supersession.service.ts';

export const supersession: MetadataNoun<SupersessionSlice, SupersessionContext> = {
  typeDefs: readSdl('subgraphs/metadata/supersession/supersession.graphql'),
  resolvers: supersessionResolvers,
  permissions: {
    'Mutation.supersedeEntity': 'metadata:retire',
  },
  services: ({ door }) => ({ supersession: new SupersessionService((one) => door.write(one)) }),
};
