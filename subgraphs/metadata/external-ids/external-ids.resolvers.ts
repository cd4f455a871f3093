// External ids in GraphQL: unpack, one call, map.
import { EntityRecord, type EntitySource } from '../entities/entity-record.ts';
import { authorOf, type MetadataContext } from '../metadata-context.ts';
import { DEFAULT_TYPE } from './external-id.ts';
import type { Standing } from './external-ids.store.ts';

interface ListArgs {
  includeSuperseded?: boolean | null;
}
interface RegisterArgs {
  entityId: string;
  externalId: string;
  idType?: string | null;
  context?: string | null;
}
interface SupersedeArgs {
  entityId: string;
  oldExternalId: string;
  newExternalId: string;
  idType?: string | null;
  reason?: string | null;
  context?: string | null;
}

const standing = ({ includeSuperseded }: ListArgs): Standing => (includeSuperseded ? 'any' : 'active');

export const externalIdResolvers = {
  Query: {
    externalIds: async (
      _: unknown,
      { entityId, asOf, ...args }: ListArgs & { entityId: string; asOf?: string | null },
      { externalIds, timeline, caller }: MetadataContext,
    ) => externalIds.of(entityId, standing(args), caller, await timeline.moment(asOf)),
    supersededExternalIds: async (
      _: unknown,
      { entityId, asOf }: { entityId: string; asOf?: string | null },
      { externalIds, timeline, caller }: MetadataContext,
    ) => externalIds.of(entityId, 'superseded', caller, await timeline.moment(asOf)),
    entityByExternalId: async (
      _: unknown,
      { idType, externalId, asOf }: { idType?: string | null; externalId: string; asOf?: string | null },
      { externalIds, timeline, caller, extensions }: MetadataContext,
    ) => {
      const at = await timeline.moment(asOf);
      const row = await externalIds.entityBy(idType ?? DEFAULT_TYPE, externalId, caller, at);
      if (row === null) return null;
      extensions.entityVersion = Number(row.version);
      return new EntityRecord(row, at);
    },
  },
  Mutation: {
    registerExternalId: (
      _: unknown,
      { entityId, externalId, idType, context }: RegisterArgs,
      { externalIds, caller }: MetadataContext,
    ) =>
      externalIds.register(entityId, externalId, idType ?? DEFAULT_TYPE, authorOf(caller, context ?? null)),
    supersedeExternalId: (
      _: unknown,
      { idType, reason, context, ...ids }: SupersedeArgs,
      { externalIds, caller }: MetadataContext,
    ) =>
      externalIds.supersede(
        { ...ids, idType: idType ?? null, reason: reason ?? null },
        authorOf(caller, context ?? null),
      ),
  },
  Entity: {
    externalIds: ({ id, at = null }: EntitySource, args: ListArgs, { externalIdsOf }: MetadataContext) =>
      externalIdsOf(id, { standing: standing(args), at }),
  },
};
