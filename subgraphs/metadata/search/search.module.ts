// Search as a noun of the metadata subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { withinTime } from '../within-time.ts';
import { type SearchContext, searchResolvers, searchTexts } from './search.resolvers.ts';
import { SearchService, type SearchSlice } from './search.service.ts';
import { endedIn, searchEntities } from './search.store.ts';

export const search: MetadataNoun<SearchSlice, SearchContext> = {
  typeDefs: readSdl('subgraphs/metadata/search/search.graphql'),
  resolvers: searchResolvers,
  permissions: {
    'Query.search': 'metadata:read',
    'Query.searchPage': 'metadata:read',
  },
  texts: searchTexts,
  services: ({ reads, catalogue, entities }) => ({
    search: new SearchService({
      catalogue,
      search: (request, ended) =>
        withinTime(
          reads(
            (on) => searchEntities(readingFor(on, request.identity), request, ended),
            request.at !== null || undefined,
          ),
        ),
      endedSince: endedIn(reads),
      plan: (request, identity) => entities.plan(request, identity),
    }),
  }),
};
