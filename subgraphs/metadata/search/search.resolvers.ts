// Resolvers of search.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { writeRows } from '../../../platform/row-writer.ts';
import type { TextField } from '../../../platform/text-fields.ts';
import { warnOnce } from '../../../platform/warnings.ts';
import type { TimeSlice } from '../reading/timeline.ts';
import { tellCut } from '../cut-list.ts';
import { entityWriter } from '../entities/entities.text.ts';
import type { QuerySearchArgs, Resolvers } from '../generated/resolvers.ts';
import { SearchHit } from './search-hit.ts';
import type { Hits, SearchSlice } from './search.service.ts';
import type { HitRow } from './hit-row.ts';

export type SearchContext = OperationContext & SearchSlice & TimeSlice;

const USUAL = 100;

async function found(
  { entityType, q, filter, limit, offset, cursor, includeUnavailable, asOf }: QuerySearchArgs,
  { search, timeline, caller, extensions }: SearchContext,
): Promise<Hits> {
  const at = await timeline.moment(asOf);
  const hits = await search.search(
    {
      entityType,
      q,
      filter: filter ?? null,
      limit: limit ?? USUAL,
      offset: offset ?? 0,
      cursor: cursor ?? null,
      includeUnavailable: includeUnavailable ?? false,
      at,
    },
    caller,
  );
  for (const warning of hits.warnings) warnOnce(extensions, warning);
  return hits;
}

/** For the plain list, the cursor is reported elsewhere. */
async function listed(args: QuerySearchArgs, context: SearchContext): Promise<Hits> {
  const hits = await found(args, context);
  tellCut(context.extensions, hits, {
    name: 'search',
    page: 'searchPage',
    isUsual: (args.limit ?? USUAL) === USUAL,
  });
  return hits;
}

const records = ({ items, at }: Hits): SearchHit[] => items.map((row) => new SearchHit(row, at));

export const searchResolvers = {
  Query: {
    search: async (_, args, context) => records(await listed(args, context)),
    searchPage: async (_, args, context) => {
      const hits = await found(args, context);
      return { items: records(hits), limit: args.limit ?? USUAL, nextCursor: hits.nextCursor };
    },
  },
} satisfies Resolvers<SearchContext>;

/** `search { … }` of the hits' own columns. */
const searchText: TextField<SearchContext> = (selection) => {
  const write = entityWriter(selection, {
    score: (row: HitRow) => JSON.stringify(Number(row.score)),
    __typename: () => '"SearchHit"',
  });
  return (
    write &&
    (async (args, context) => {
      // The values were coerced by the SDL.
      const { items } = await listed(args as unknown as QuerySearchArgs, context);
      return `[${writeRows(items, write, context.caller.budget)}]`;
    })
  );
};

export const searchTexts = { 'Query.search': searchText };
