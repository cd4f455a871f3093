// Filters explained in GraphQL: unpack, one call.
import { warned } from '../entities/entities.resolvers.ts';
import type { MetadataContext } from '../metadata-context.ts';

interface ExplainArgs {
  entityType?: string | null;
  filter: string;
  orderBy?: string | null;
  asOf?: string | null;
}

export const filterResolvers = {
  Query: {
    explainFilter: async (
      _: unknown,
      { entityType, filter, orderBy, asOf }: ExplainArgs,
      { entities, timeline, caller, extensions }: MetadataContext,
    ) =>
      warned(
        await entities.explain(
          {
            entityType: entityType ?? null,
            filter,
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
};
