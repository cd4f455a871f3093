// Resolvers of external ids.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { TimeSlice } from '../reading/timeline.ts';
import { authorOf } from '../author-of.ts';
import { EntityRecord } from '../reading/entity-record.ts';
import type { EntityExternalIdsArgs, Resolvers } from '../generated/resolvers.ts';
import { DEFAULT_TYPE } from './external-id.ts';
import type { ExternalIdSlice } from './external-ids.service.ts';
import type { Standing } from './external-id-record.ts';

export type ExternalIdContext = OperationContext & ExternalIdSlice & TimeSlice;

const standing = ({ includeSuperseded }: EntityExternalIdsArgs): Standing =>
  includeSuperseded ? 'any' : 'active';

export const externalIdResolvers = {
  Query: {
    externalIds: async (_, { entityId, asOf, ...args }, { externalIds, timeline, caller }) =>
      externalIds.of(entityId, standing(args), caller, await timeline.moment(asOf)),
    supersededExternalIds: async (_, { entityId, asOf }, { externalIds, timeline, caller }) =>
      externalIds.of(entityId, 'superseded', caller, await timeline.moment(asOf)),
    entityByExternalId: async (
      _,
      { idType, externalId, asOf },
      { externalIds, timeline, caller, extensions },
    ) => {
      const at = await timeline.moment(asOf);
      const row = await externalIds.entityBy(idType ?? DEFAULT_TYPE, externalId, caller, at);
      if (row === null) return null;
      extensions.entityVersion = Number(row.version);
      return new EntityRecord(row, at);
    },
  },
  Mutation: {
    registerExternalId: (_, { entityId, externalId, idType, context }, { externalIds, caller }) =>
      externalIds.register(entityId, externalId, idType ?? DEFAULT_TYPE, authorOf(caller, context ?? null)),
    supersedeExternalId: (_, { idType, reason, context, ...ids }, { externalIds, caller }) =>
      externalIds.supersede(
        { ...ids, idType: idType ?? null, reason: reason ?? null },
        authorOf(caller, context ?? null),
      ),
  },
  Entity: {
    externalIds: ({ id, at = null }, args, { externalIdsOf }) =>
      externalIdsOf(id, { standing: standing(args), at }),
  },
} satisfies Resolvers<ExternalIdContext>;
