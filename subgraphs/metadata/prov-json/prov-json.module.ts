// PROV-JSON as a noun of the metadata subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { everSeen } from '../provenance/provenance.store.ts';
import { type ProvJsonContext, provJsonResolvers } from './prov-json.resolvers.ts';
import { type ProvJsonSlice, ProvJsonService } from './prov-json.service.ts';
import { eventsOf } from './prov-json.store.ts';

export const provJson: MetadataNoun<ProvJsonSlice, ProvJsonContext> = {
  typeDefs: readSdl('subgraphs/metadata/prov-json/prov-json.graphql'),
  resolvers: provJsonResolvers,
  permissions: {
    'Query.provenanceDocument': 'provenance:read',
  },
  services: ({ database: { pool } }) => ({
    provJson: new ProvJsonService({
      areVisible: (ids, identity, at) => Promise.all(ids.map((id) => everSeen(pool, id, identity, at))),
      eventsOf: (ids, range, identity) => eventsOf(readingFor(pool, identity), ids, range, identity),
    }),
  }),
};
