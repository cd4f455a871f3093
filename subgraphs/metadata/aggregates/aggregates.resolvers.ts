// Resolvers of aggregates.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { warned } from '../entities/entities.resolvers.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { TimeSlice } from '../reading/timeline.ts';
import type { AggregateSlice } from './aggregates.service.ts';

export type AggregateContext = OperationContext & AggregateSlice & TimeSlice;

export const aggregateResolvers = {
  Query: {
    aggregate: async (_, args, { aggregates, timeline, caller, extensions }) =>
      warned(
        await aggregates.groups(
          {
            entityType: args.entityType,
            filter: args.filter ?? null,
            q: args.q ?? null,
            fields: args.fields ?? [],
            groupBy: args.groupBy,
            of: args.of,
            percentiles: args.percentiles,
            having: args.having ?? null,
            includeUnavailable: args.includeUnavailable ?? false,
            at: await timeline.moment(args.asOf),
            limit: args.limit ?? 100,
            offset: args.offset ?? 0,
          },
          caller,
        ),
        extensions,
      ),
    explainAggregate: async (_, args, { aggregates, timeline, caller, extensions }) =>
      warned(
        await aggregates.explain(
          {
            entityType: args.entityType,
            filter: args.filter ?? null,
            q: args.q ?? null,
            fields: args.fields ?? [],
            groupBy: args.groupBy,
            of: args.of,
            percentiles: [],
            having: args.having ?? null,
            includeUnavailable: args.includeUnavailable ?? false,
            at: await timeline.moment(args.asOf),
            limit: 100,
            offset: 0,
          },
          caller,
        ),
        extensions,
      ),
    facets: async (_, args, { aggregates, timeline, caller, extensions }) =>
      warned(
        await aggregates.facets(
          {
            entityType: args.entityType,
            filter: args.filter ?? null,
            q: args.q ?? null,
            fields: args.fields ?? [],
            of: args.of,
            includeUnavailable: args.includeUnavailable ?? false,
            at: await timeline.moment(args.asOf),
            limit: args.limit ?? 10,
          },
          caller,
        ),
        extensions,
      ).facets,
  },
} satisfies Resolvers<AggregateContext>;
