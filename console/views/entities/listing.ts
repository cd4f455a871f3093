// What a listing of entities asks for: read from the address.
import { useMemo } from 'react';
import { operation } from '../../api/operation.ts';
import { type Answer, useQuery } from '../../api/use-api.ts';
import { type Changes, useAddress } from '../../address/address.tsx';
import type {
  EntitiesQuery,
  EntitiesQueryVariables,
  FoundQuery,
  FoundQueryVariables,
} from '../../generated/api.ts';
import { pageIn } from '../../parts/page-steps.tsx';
import type { TypeInfo } from '../../parts/type-infos.ts';
import { type Condition, filterOf, readCondition } from './conditions.ts';

const ENTITIES = operation<EntitiesQuery, EntitiesQueryVariables>(/* GraphQL */ `
  query Entities(
    $type: String!
    $filter: String
    $orderBy: String
    $limit: Int!
    $offset: Int!
    $gone: Boolean!
    $at: DateTime
  ) {
    entities(
      entityType: $type
      filter: $filter
      orderBy: $orderBy
      limit: $limit
      offset: $offset
      includeUnavailable: $gone
      asOf: $at
    ) {
      total
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
const FOUND = operation<FoundQuery, FoundQueryVariables>(/* GraphQL */ `
  query Found($type: String!, $q: String!, $limit: Int!, $cursor: String, $gone: Boolean!, $at: DateTime) {
    searchPage(
      entityType: $type
      q: $q
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
        score
      }
    }
  }
`);

export type Row = EntitiesQuery['entities']['items'][number];

export const PAGE_SIZE = 50;

export interface Listing {
  readonly type: TypeInfo;
  readonly words: string;
  readonly conditions: readonly Condition[];
  readonly own: string;
  readonly filter: string | undefined;
  readonly orderBy: string | undefined;
  readonly page: number;
  readonly showsGone: boolean;
  readonly columns: readonly string[];
  /** Changes the listing, which begins at its first page again. */
  readonly change: (changes: Changes) => void;
}

/** Fields that are shown at first. */
const SHOWN_AT_FIRST = 6;

export function useListing(type: TypeInfo): Listing {
  const { params, set } = useAddress();
  const key = params.toString();
  return useMemo(() => {
    const conditions = params.getAll('f').flatMap((text) => readCondition(text) ?? []);
    const own = params.get('filter') ?? '';
    const cols = params.get('cols');
    const fields = type.allFields.map(({ name }) => name);
    return {
      type,
      words: params.get('q') ?? '',
      conditions,
      own,
      filter: filterOf(conditions, own, type.allFields),
      orderBy: params.get('sort') ?? undefined,
      page: pageIn(params),
      showsGone: params.get('gone') === '1',
      columns:
        cols === null
          ? fields.slice(0, SHOWN_AT_FIRST)
          : fields.filter((name) => cols.split(',').includes(name)),
      change: (changes) => {
        set({ page: undefined, cursor: undefined, ...changes });
      },
    };
    // the key stands for the parameters
  }, [key, type, set]);
}

interface Rows {
  readonly answer: Answer<unknown>;
  readonly rows: readonly Row[] | undefined;
  readonly total: number | undefined;
  /** The cursor of the next page of a search. */
  readonly next: string | undefined;
}

export function useRows({ type, words, filter, orderBy, page, showsGone: gone }: Listing): Rows {
  const { at = null, params } = useAddress();
  const isSearch = words.trim() !== '';
  const listed = useQuery(
    ENTITIES,
    {
      type: type.name,
      filter: filter ?? null,
      orderBy: orderBy ?? null,
      limit: PAGE_SIZE,
      offset: (page - 1) * PAGE_SIZE,
      gone,
      at,
    },
    { skip: isSearch },
  );
  const found = useQuery(
    FOUND,
    { type: type.name, q: words, limit: PAGE_SIZE, cursor: params.get('cursor'), gone, at },
    { skip: !isSearch },
  );
  if (isSearch)
    return {
      answer: found,
      rows: found.data?.searchPage.items,
      total: undefined,
      next: found.data?.searchPage.nextCursor ?? undefined,
    };
  return {
    answer: listed,
    rows: listed.data?.entities.items,
    total: listed.data?.entities.total ?? undefined,
    next: undefined,
  };
}
