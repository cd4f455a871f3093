// Resolvers of differences.
import { badRequest } from '../../../platform/errors.ts';
import { patchBetween } from '../../../platform/json-patch.ts';
import type { OperationContext } from '../../../platform/operation-context.ts';
import { entityAsOf, type EntityContext, warned } from '../entities/entities.resolvers.ts';
import type { ExportBlock } from '../exports/exports.service.ts';
import type {
  QueryEntitiesDiffArgs,
  Resolvers,
  SubscriptionExportEntitiesDiffArgs,
} from '../generated/resolvers.ts';
import type { SchemaSlice } from '../schemas/schemas.service.ts';
import type { DifferenceSlice, SetRequest } from './differences.service.ts';
import { dataPatch, differencesOf } from './entity-diff.ts';
import { schemaDiffOf } from './schema-diff.ts';

export type DifferenceContext = EntityContext & DifferenceSlice & SchemaSlice;

const setRequest = (args: QueryEntitiesDiffArgs | SubscriptionExportEntitiesDiffArgs): SetRequest => ({
  entityType: args.entityType ?? null,
  filter: args.filter ?? null,
  q: args.q ?? null,
  fields: args.fields ?? [],
  includeUnavailable: args.includeUnavailable ?? false,
  from: args.from,
  to: args.to ?? null,
});

export const differenceResolvers = {
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
    entitiesDiff: async (_, args, { setDifferences, timeline, caller, listing, extensions }) =>
      warned(
        await setDifferences.page(
          setRequest(args),
          { first: args.first ?? 100, after: args.after ?? null },
          caller,
          { ...listing, timeline },
        ),
        extensions,
      ),
    schemaDiff: async (_, { name, version = null, toName, toVersion = null }, { schemas, timeline }) => {
      const at = await timeline.moment(null);
      return schemaDiffOf({ name, version }, { name: toName ?? name, version: toVersion }, (one) =>
        schemas.definitionOf(one, at),
      );
    },
  },
  Subscription: {
    exportEntitiesDiff: {
      subscribe: (_, args, { setDifferences, timeline, caller, listing }) =>
        setDifferences.lines(setRequest(args), caller, { ...listing, timeline }),
      resolve: (block: ExportBlock, _args: unknown, { extensions }: OperationContext) =>
        warned(block, extensions),
    },
  },
  EntityDiff: { jsonPatch: ({ differences: found }) => dataPatch(found) },
  EntityDifference: { jsonPatch: ({ differences: found }) => dataPatch(found) },
  SchemaDiff: { jsonPatch: ({ before, after }) => patchBetween(before, after) },
} satisfies Resolvers<DifferenceContext>;
