// The typed part of the graph as a noun of the metadata subgraph.
import { keyedLoader } from '../../../platform/keyed-loader.ts';
import { perOperation, readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { type ReferringRequest, ReferringService } from '../referring/referring.service.ts';
import { referringPages, referringTotals } from '../referring/referring.store.ts';
import type { TypedSlice } from './typed-api.ts';
import { type TypedContext, typedSchemaResolvers } from './typed.resolvers.ts';

export const typed: MetadataNoun<TypedSlice, TypedContext> = {
  typeDefs: readSdl('subgraphs/metadata/typed/typed.graphql'),
  resolvers: typedSchemaResolvers,
  permissions: {
    'Query.node': 'metadata:read',
    'Query.typedSchema': 'metadata:read',
    // the extension that follows the registered schemas
    'Query.typed': 'metadata:read',
    'Mutation.typed': 'metadata:write',
    'Subscription.typed': 'provenance:read',
  },
  services: ({ typedSchema, entities, database: { pool } }) => {
    const referring = new ReferringService({
      entities,
      pages: (ids, field, request) => referringPages(pool, ids, field, request),
      totals: (ids, field, request) => referringTotals(pool, ids, field, request),
    });
    return {
      typedSchema,
      referringTo: perOperation<TypedContext, TypedSlice['referringTo']>(({ caller, listing }) => {
        const load = keyedLoader(
          (ids: readonly string[], request: ReferringRequest) =>
            referring.pages(ids, request, caller, listing),
          null,
        );
        return async (id, request) => {
          const page = await load(id, request);
          if (page === null) throw new Error('what refers to an entity was not read');
          return page;
        };
      }),
    };
  },
};
