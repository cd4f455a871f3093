// Search as a noun of the metadata subgraph.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { inOneSnapshot } from '../../../platform/database/lent-connection.ts';
import type { Connections } from '../../../platform/database/transaction.ts';
import { readSdl } from '../../../platform/subgraph-module.ts';
import type { MetadataNoun } from '../noun.ts';
import { withinTime } from '../within-time.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { type EndedMatch, endedMatches } from './ended-matches.ts';
import type { HitRow } from './hit-row.ts';
import { type SearchContext, searchResolvers, searchTexts } from './search.resolvers.ts';
import { SearchService, type SearchSlice } from './search.service.ts';
import { searchEntities, type SearchRequest } from './search.store.ts';

async function searchIn(
  on: Connections,
  request: SearchRequest,
  catalogue: SchemaCatalogue,
): Promise<HitRow[]> {
  const { identity, query, at } = request;
  if (at === null) return searchEntities(readingFor(on, identity), request, []);
  return inOneSnapshot(on, async (db) => {
    const ended: EndedMatch[] = [];
    const found = endedMatches(
      readingFor(db, identity, false),
      { ...request, at },
      query.matching,
      catalogue,
    );
    for await (const match of found) ended.push(match);
    return searchEntities(readingFor(db, identity), request, ended);
  });
}

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
      search: (request) =>
        withinTime(reads((on) => searchIn(on, request, catalogue()), request.at !== null || undefined)),
      plan: (request, identity) => entities.plan(request, identity),
    }),
  }),
};
