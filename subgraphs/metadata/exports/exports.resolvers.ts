// Resolvers of exports.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { warned } from '../entities/entities.resolvers.ts';
import type { EntitySlice } from '../entities/entities.service.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { TimeSlice } from '../reading/timeline.ts';
import type { ExportBlock, ExportSlice } from './exports.service.ts';

export type ExportContext = OperationContext & EntitySlice & ExportSlice & TimeSlice;

export const exportResolvers = {
  Subscription: {
    exportEntities: {
      subscribe: async (_, args, { exports, timeline, caller, listing }) =>
        exports.open(
          {
            entityType: args.entityType,
            filter: args.filter ?? null,
            q: args.q ?? null,
            fields: args.fields ?? [],
            limit: args.limit ?? null,
            offset: args.offset ?? 0,
            cursor: args.cursor ?? null,
            orderBy: args.orderBy ?? null,
            includeUnavailable: args.includeUnavailable ?? false,
            expand: args.expand ?? null,
            at: await timeline.moment(args.asOf),
          },
          caller,
          listing,
        ),
      resolve: (block: ExportBlock, _args: unknown, { extensions }: OperationContext) =>
        warned(block, extensions),
    },
  },
} satisfies Resolvers<ExportContext>;
