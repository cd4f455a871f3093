// The growth of types as a noun of the metadata subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { type GrowthContext, growthResolvers } from './growth.resolvers.ts';
import { GrowthService, type GrowthSlice, MAX_COUNTED } from './growth.service.ts';
import { countCreated } from './growth.store.ts';

export const growth: MetadataNoun<GrowthSlice, GrowthContext> = {
  typeDefs: readSdl('subgraphs/metadata/growth/growth.graphql'),
  resolvers: growthResolvers,
  permissions: { 'Query.entityGrowth': 'metadata:read' },
  services: ({ reads }) => ({
    growth: perOperation(
      ({ caller }) =>
        new GrowthService({
          read: (days, project, identity) =>
            reads((on) =>
              countCreated(readingFor(on, caller), { days, project, identity, most: MAX_COUNTED }),
            ),
        }),
    ),
  }),
};
