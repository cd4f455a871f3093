// Reference data as a noun of the metadata subgraph.
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { type ReferenceDataContext, referenceDataResolvers } from './reference-data.resolvers.ts';
import { ReferenceDataService, type ReferenceDataSlice } from './reference-data.service.ts';

export const referenceData: MetadataNoun<ReferenceDataSlice, ReferenceDataContext> = {
  typeDefs: readSdl('subgraphs/metadata/reference-data/reference-data.graphql'),
  resolvers: referenceDataResolvers,
  permissions: {
    'Mutation.installReferenceData': 'reference-data:install',
  },
  services: ({ door }) => ({ referenceData: new ReferenceDataService((one) => door.write(one)) }),
};
