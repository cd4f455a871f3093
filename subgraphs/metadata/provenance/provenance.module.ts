// Provenance as a noun of the metadata subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { keyedLoader } from '../../../platform/keyed-loader.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import { NOTHING } from '../cut-list.ts';
import type { MetadataNoun } from '../noun.ts';
import { type ProvenanceContext, provenanceResolvers, provenanceTexts } from './provenance.resolvers.ts';
import { type ProvenanceSlice, ProvenanceService } from './provenance.service.ts';
import { everSeen, eventsOfRequest, historyOf } from './provenance.store.ts';

export const provenance: MetadataNoun<ProvenanceSlice, ProvenanceContext> = {
  typeDefs: readSdl('subgraphs/metadata/provenance/provenance.graphql'),
  resolvers: provenanceResolvers,
  permissions: {
    'Query.entityHistory': 'provenance:read',
    'Query.entityHistoryPage': 'provenance:read',
    'Query.requestEvents': 'audit:read',
  },
  texts: provenanceTexts,
  services({ database: { pool }, reads }) {
    const service = new ProvenanceService({
      everSeen: (id, identity, at) => everSeen(pool, id, identity, at),
      historyOf: (ids, bounds, identity) =>
        reads(
          (on) => historyOf(readingFor(on, identity), ids, bounds, identity),
          bounds.at !== null || identity.isExact === true,
        ),
      eventsOfRequest: (asked, identity) =>
        reads((on) => eventsOfRequest(readingFor(on, identity), asked, identity)),
    });
    return {
      provenance: service,
      histories: perOperation(({ caller }) =>
        keyedLoader((ids, bounds) => service.histories(ids, bounds, caller), NOTHING),
      ),
    };
  },
};
