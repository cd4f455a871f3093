// What differs between states of entities, as a noun of the metadata subgraph.
import { badRequest } from '../../../platform/errors.ts';
import { readSdl } from '../../../platform/subgraph-module.ts';
import { type EntityContext, entityAsOf } from '../entities/entities.resolvers.ts';
import type { MetadataNoun } from '../noun.ts';
import { differencesOf, jsonPatchOf } from './entity-diff.ts';

export const differences: MetadataNoun<Record<never, never>, EntityContext> = {
  typeDefs: readSdl('subgraphs/metadata/differences/differences.graphql'),
  resolvers: {
    Query: {
      entityDiff: async (_, { entityId, from = null, to = null, toEntityId }, context) => {
        const otherId = toEntityId ?? entityId;
        if (from === null && to === null && otherId === entityId)
          throw badRequest('nothing to compare with: give from, to, or another entity');
        const [before, after] = await Promise.all([
          entityAsOf(entityId, from, context),
          entityAsOf(otherId, to, context),
        ]);
        if (before === null && after === null) return null;
        return { before, after, differences: differencesOf(before, after) };
      },
    },
    EntityDiff: { jsonPatch: ({ differences: found }) => jsonPatchOf(found) },
  },
  permissions: { 'Query.entityDiff': 'provenance:read' },
  services: () => ({}),
};
