// Search in GraphQL: unpack, one call, map.
import type { TextField } from '../../../platform/text-fields.ts';
import { entityWriter, writeRows } from '../entities/entities.text.ts';
import { EntityRecord } from '../entities/entity-record.ts';
import { tellCut, warnOnce } from '../cut-list.ts';
import type { MetadataContext } from '../metadata-context.ts';
import type { Hits } from './search.service.ts';
import type { HitRow } from './search.store.ts';

interface SearchArgs {
  entityType: string;
  q: string;
  limit?: number | null;
  offset?: number | null;
  cursor?: string | null;
  includeUnavailable?: boolean | null;
  asOf?: string | null;
}

class SearchHit extends EntityRecord {
  readonly score: number;

  constructor(row: HitRow, at: EntityRecord['at']) {
    super(row, at);
    this.score = Number(row.score);
  }

  get entity(): EntityRecord {
    return this;
  }
}

const USUAL = 100;

async function found(
  { entityType, q, limit, offset, cursor, includeUnavailable, asOf }: SearchArgs,
  { search, timeline, caller, extensions }: MetadataContext,
): Promise<Hits> {
  const at = await timeline.moment(asOf);
  const hits = await search.search(
    {
      entityType,
      q,
      limit: limit ?? USUAL,
      offset: offset ?? 0,
      cursor: cursor ?? null,
      includeUnavailable: includeUnavailable ?? false,
      at,
    },
    caller,
  );
  if (hits.warning !== null) warnOnce(extensions, hits.warning);
  return hits;
}

/** Of the bare list, which says in another place what comes next. */
async function listed(args: SearchArgs, context: MetadataContext): Promise<Hits> {
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
    search: async (_: unknown, args: SearchArgs, context: MetadataContext) =>
      records(await listed(args, context)),
    searchPage: async (_: unknown, args: SearchArgs, context: MetadataContext) => {
      const hits = await found(args, context);
      return { items: records(hits), limit: args.limit ?? USUAL, nextCursor: hits.nextCursor };
    },
  },
};

/** `search { … }` of the hits' own columns. */
const searchText: TextField<MetadataContext> = (selection) => {
  const write = entityWriter(selection, {
    score: (row: HitRow) => JSON.stringify(Number(row.score)),
    __typename: () => '"SearchHit"',
  });
  return (
    write &&
    (async (args, context) => {
      const { items } = await listed(args as unknown as SearchArgs, context); // coerced against the SDL before
      return `[${writeRows(items, write, context.caller.budget)}]`;
    })
  );
};

export const searchTexts = { 'Query.search': searchText };
