// What a listing asks of the API for its rows, page by page.
import { ask } from '../../api/client.ts';
import { operation } from '../../api/operation.ts';
import type {
  EntitiesQuery,
  EntitiesQueryVariables,
  FoundQuery,
  FoundQueryVariables,
  HitsQuery,
  HitsQueryVariables,
} from '../../generated/api.ts';
import type { Listing } from './listing.ts';

export const ENTITIES = operation<EntitiesQuery, EntitiesQueryVariables>(/* GraphQL */ `
  query Entities(
    $type: String!
    $filter: String
    $q: String
    $orderBy: String
    $limit: Int!
    $offset: Int
    $cursor: String
    $count: CountMode
    $gone: Boolean!
    $at: DateTime
  ) {
    entities(
      entityType: $type
      filter: $filter
      q: $q
      orderBy: $orderBy
      limit: $limit
      offset: $offset
      cursor: $cursor
      count: $count
      includeUnavailable: $gone
      asOf: $at
    ) {
      total
      nextCursor
      items {
        id
        entityType
        version
        updatedAt
        isAvailable
        project
        data
      }
    }
  }
`);
export const FOUND = operation<FoundQuery, FoundQueryVariables>(/* GraphQL */ `
  query Found(
    $type: String!
    $q: String!
    $filter: String
    $limit: Int!
    $cursor: String
    $gone: Boolean!
    $at: DateTime
  ) {
    searchPage(
      entityType: $type
      q: $q
      filter: $filter
      limit: $limit
      cursor: $cursor
      includeUnavailable: $gone
      asOf: $at
    ) {
      nextCursor
      items {
        id
        entityType
        version
        updatedAt
        isAvailable
        project
        data
      }
    }
  }
`);

/** How many entities hold words and meet conditions: a search itself does not count. */
export const HITS = operation<HitsQuery, HitsQueryVariables>(/* GraphQL */ `
  query Hits($type: String!, $q: String!, $filter: String, $gone: Boolean!, $at: DateTime) {
    aggregate(entityType: $type, q: $q, filter: $filter, includeUnavailable: $gone, asOf: $at) {
      groups {
        count
      }
    }
  }
`);

export type Row = EntitiesQuery['entities']['items'][number];

/** Rows of a page. */
export const SIZE = 100;
/** Matches of a search that are ranked (docs/reference/metadata.md#search-limits). */
export const MOST_RANKED = 10_000;

export interface Page {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

export interface Read extends Page {
  /** How many there are in all. */
  readonly total: number | null;
}

export interface Asked {
  readonly isSearch: boolean;
  readonly list: Omit<EntitiesQueryVariables, 'offset' | 'cursor' | 'count'>;
  readonly search: Omit<FoundQueryVariables, 'cursor'>;
}

/**
 * The variables of a listing, without its place. Words without an order are ranked, unless somebody wrote an expression
 * beside them, which may be one that is checked entity by entity: ranking takes none of these.
 */
export function askedOf(
  { type, words: q, filter, own, orderBy, showsGone: gone }: Listing,
  at: string | undefined,
): Asked {
  const shared = { type: type.name, q, filter: filter ?? null, limit: SIZE, gone, at: at ?? null };
  return {
    isSearch: q !== '' && orderBy === undefined && own.trim() === '',
    list: { ...shared, orderBy: orderBy ?? null },
    search: shared,
  };
}

export const readOf = ({ items, nextCursor, total }: EntitiesQuery['entities']): Read => ({
  rows: items,
  next: nextCursor,
  total,
});

/** @param cursor of the page before it; without one the page is found by its offset */
export async function readPage(
  { isSearch, list, search }: Asked,
  offset: number,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page> {
  if (isSearch) {
    const { searchPage } = await ask(FOUND, { ...search, cursor: cursor ?? null }, signal);
    return { rows: searchPage.items, next: searchPage.nextCursor };
  }
  const place = cursor === undefined ? { offset } : { cursor };
  return readOf((await ask(ENTITIES, { ...list, ...place, count: 'NONE' }, signal)).entities);
}

/** The first rows, apart from the pages that are looked at: fewer than `most` where the list ends before. */
export async function readFirst(
  asked: Asked,
  start: number,
  most: number,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage(asked, start, cursor, signal);
    rows.push(...page.rows);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined && rows.length < most);
  return rows.slice(0, most);
}
