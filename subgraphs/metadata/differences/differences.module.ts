// What differs between states of entities, as a noun of the metadata subgraph.
import { badRequest } from '../../../platform/errors.ts';
import type { OperationContext } from '../../../platform/operation-context.ts';
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { EntitySlice } from '../entities/entities.service.ts';
import type { MetadataNoun } from '../noun.ts';
import { EntityRecord } from '../reading/entity-record.ts';
import type { TimeSlice } from '../reading/timeline.ts';
import { differencesOf, jsonPatchOf } from './entity-diff.ts';

type DifferencesContext = OperationContext & EntitySlice & TimeSlice;

export const differences: MetadataNoun<Record<never, never>, DifferencesContext> = {
  typeDefs: readSdl('subgraphs/metadata/differences/differences.graphql'),
  resolvers: {
    Query: {
      entityDiff: async (_, { entityId, from, to, toEntityId }, { entities, timeline, caller }) => {
        const [one, other] = [from ?? null, to ?? null];
        if (one === null && other === null && (toEntityId ?? entityId) === entityId)
          throw badRequest('nothing to compare with: give from, to, or another entity');
        const state = async (id: string, time: string | null): Promise<EntityRecord | null> => {
          const at = await timeline.moment(time);
          const row = await entities.get(id, caller, at);
          return row === null ? null : new EntityRecord(row, at);
        };
        const [before, after] = await Promise.all([
          state(entityId, one),
          state(toEntityId ?? entityId, other),
        ]);
        return before === null && after === null ? null : { before, after };
      },
    },
    EntityDiff: { differences: differencesOf, jsonPatch: jsonPatchOf },
  },
  permissions: { 'Query.entityDiff': 'provenance:read' },
  services: () => ({}),
};
