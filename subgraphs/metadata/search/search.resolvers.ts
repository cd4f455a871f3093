// Search in GraphQL: unpack, one call, map.
import type { TextField } from '../../../platform/text-fields.ts';
import { entityWriter, writeRows } from '../entities/entities.text.ts';
import { EntityRecord } from '../entities/entity-record.ts';
import type { MetadataContext } from '../metadata-context.ts';
import type { Hits } from './search.service.ts';
import type { HitRow } from './search.store.ts';

interface SearchArgs { entityType: string; q: string; limit?: number | null; offset?: number | null; includeUnavailable?: boolean | null; asOf?: string | null }

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

async function run({ entityType, q, limit, offset, includeUnavailable, asOf }: SearchArgs, { search, timeline, caller, extensions }: MetadataContext): Promise<Hits & { at: EntityRecord['at'] }> {
  const at = await timeline.moment(asOf);
  const hits = await search.search({ entityType, q, limit: limit ?? 100, offset: offset ?? 0, includeUnavailable: includeUnavailable ?? false, at }, caller);
  if (hits.warning !== null) (extensions.warnings ??= []).push(hits.warning);
  return { ...hits, at };
}

export const searchResolvers = {
  Query: {
    search: async (_: unknown, args: SearchArgs, context: MetadataContext) => {
      const { rows, at } = await run(args, context);
      return rows.map((row) => new SearchHit(row, at));
    },
  },
};

/** `search { … }` of the hits' own columns. */
const searchText: TextField<MetadataContext> = (selection) => {
  const write = entityWriter(selection, { score: (row: HitRow) => JSON.stringify(Number(row.score)), __typename: () => '"SearchHit"' });
  return write && (async (args, context) => {
    const { rows } = await run(args as unknown as SearchArgs, context); // coerced against the SDL before
    return `[${writeRows(rows, write, context.caller.budget)}]`;
  });
};

export const searchTexts = { 'Query.search': searchText };
