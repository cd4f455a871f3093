// Productions as a noun of the artifact subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { Notifier } from '../../../platform/notifier.ts';
import { TableChanges } from '../../../platform/past/table-changes.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { ArtifactNoun } from '../noun.ts';
import { PRODUCTION } from '../past/past-productions.ts';
import { ReuseService } from '../reuse/reuse.service.ts';
import { productionChangesAfter } from './production-changes.store.ts';
import { ProductionFollower } from './production-follower.ts';
import { ProductionRequestService, type ProductionSlice } from './production-requests.service.ts';
import { type ProductionContext, productionResolvers } from './productions.resolvers.ts';
import { ProductionService } from './productions.service.ts';

export const productions: ArtifactNoun<ProductionSlice, ProductionContext> = {
  typeDefs: readSdl('subgraphs/artifact/productions/productions.graphql'),
  resolvers: productionResolvers,
  permissions: {
    'Query.production': 'artifact:read',
    'Query.productions': 'artifact:read',
    'Subscription.productionProgress': 'artifact:read',
    'Subscription.productionChanges': 'artifact:read',
    'Mutation.produceArtifact': 'artifact:produce',
    'Mutation.cancelProduction': 'artifact:produce',
    'Mutation.setReusable': 'artifact:produce',
  },
  services: ({ pool, listen, log, ask, productions: deps }) => ({
    productionChanges: new TableChanges({
      db: pool,
      notifier: new Notifier({ listen, channel: 'artifact_change', log }),
      table: PRODUCTION,
      page: productionChangesAfter,
    }),
    productionFollower: new ProductionFollower(
      pool,
      new Notifier({ listen, channel: 'artifact_progress', log }),
    ),
    productions: perOperation(({ caller }) => new ProductionService(readingFor(pool, caller), caller)),
    requests: perOperation(
      ({ caller, resolution, productions: found }) =>
        new ProductionRequestService(deps, caller, resolution, found),
    ),
    reuse: perOperation(({ caller }) => new ReuseService(pool, ask, caller)),
  }),
};
