// Relationships as a noun of the metadata subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { keyedLoader } from '../../../platform/keyed-loader.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import { NOTHING } from '../cut-list.ts';
import type { MetadataNoun } from '../noun.ts';
import { withinTime } from '../within-time.ts';
import { type RelationshipContext, relationshipResolvers } from './relationships.resolvers.ts';
import { RelationshipService, type RelationshipSlice } from './relationships.service.ts';
import { findRelationships, relationshipsOf, step } from './relationships.store.ts';

export const relationships: MetadataNoun<RelationshipSlice, RelationshipContext> = {
  typeDefs: readSdl('subgraphs/metadata/relationships/relationships.graphql'),
  resolvers: relationshipResolvers,
  permissions: {
    'Query.relationships': 'metadata:read',
    'Query.findRelationships': 'metadata:read',
    'Query.traverse': 'metadata:read',
    'Mutation.relate': 'metadata:write',
    'Mutation.unrelate': 'metadata:write',
    'Mutation.unrelateById': 'metadata:write',
  },
  services({ database: { pool }, entities, door }) {
    const service = new RelationshipService({
      isVisible: async (id, identity, at = null) => (await entities.get(id, identity, at)) !== null,
      write: (one) => door.write(one),
      ofEntities: (ids, bounds, identity) =>
        relationshipsOf(readingFor(pool, identity), ids, bounds, identity),
      find: (sought, identity) => withinTime(findRelationships(readingFor(pool, identity), sought, identity)),
      step: (next, identity) => withinTime(step(readingFor(pool, identity), next, identity)),
    });
    return {
      relationships: service,
      relationshipsOf: perOperation(({ caller }) =>
        keyedLoader((ids, bounds) => service.ofMany(ids, bounds, caller), NOTHING),
      ),
    };
  },
};
