// Resolvers of explained filters.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { TimeSlice } from '../reading/timeline.ts';
import { warned } from '../entities/entities.resolvers.ts';
import type { EntitySlice } from '../entities/entities.service.ts';
import type { Resolvers } from '../generated/resolvers.ts';

export type FilterContext = OperationContext & EntitySlice & TimeSlice;

export const filterResolvers = {
  Query: {
    explainFilter: async (
      _,
      { entityType, filter, q, orderBy, asOf },
      { entities, timeline, caller, extensions },
    ) =>
      warned(
        await entities.explain(
          {
            entityType: entityType ?? null,
            filter,
            q: q ?? null,
            orderBy: orderBy ?? null,
            at: await timeline.moment(asOf),
            fields: [],
            limit: 100,
            offset: 0,
            cursor: null,
            includeUnavailable: false,
          },
          caller,
        ),
        extensions,
      ),
  },
} satisfies Resolvers<FilterContext>;
