// The change feed as a noun of the metadata subgraph.
import { Notifier } from '../../../platform/notifier.ts';
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { type ChangeFeedContext, changeFeedResolvers } from './change-feed.resolvers.ts';
import { ChangeFeedService, type ChangeFeedSlice } from './change-feed.service.ts';
import { endOfLog, holds, pageOfLog, withPayloadStates } from './change-feed.store.ts';

export const changeFeed: MetadataNoun<ChangeFeedSlice, ChangeFeedContext> = {
  typeDefs: readSdl('subgraphs/metadata/change-feed/change-feed.graphql'),
  resolvers: changeFeedResolvers,
  permissions: {
    'Query.provenanceToken': 'provenance:read',
    'Subscription.provenanceEvents': 'provenance:read',
  },
  services: ({ database: { pool, listen }, reads, catalogue, log }) => ({
    changeFeed: new ChangeFeedService({
      catalogue,
      notifier: new Notifier({ listen, channel: 'metadata_log', log }),
      endOfLog: () => endOfLog(pool),
      holds: (mark) => holds(pool, mark),
      whole: (event) => withPayloadStates(pool, event),
      pageOfLog: (after, selection, identity) => reads((on) => pageOfLog(on, after, selection, identity)),
    }),
  }),
};
