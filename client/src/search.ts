// Full-text search (docs/reference/metadata.md#search).
import { type CallOptions, instantOf, type Timestamp } from './call-options.ts';
import type { Core } from './core.ts';
import { ENTITY, type Entity } from './entity.ts';
import { Listing, type Page, type PageRequest } from './listing.ts';

/** An entity that a search has found. */
export interface SearchHit<Data extends object = Record<string, unknown>> extends Entity<Data> {
  /** Relevance: higher is better; comparable only within one search. */
  readonly score: number;
}

export interface SearchOptions extends CallOptions {
  /** CEL: only hits for which it is true. */
  readonly filter?: string | undefined;
  readonly includeUnavailable?: boolean | undefined;
  /** Searches the state at this time. */
  readonly asOf?: Timestamp | undefined;
  /** Hits per request, 1 to 1000, default 200. */
  readonly pageSize?: number | undefined;
}

export interface Searches {
  /**
   * Returns entities of a type whose string fields contain all words of `q`, the last one also as a prefix;
   * most relevant first. Pages stay consistent during concurrent writes; a hit that is changed meanwhile may
   * come twice or not at all, unless the search is asked `asOf` a time.
   * @throws ValidationError, SchemaError when it is read
   */
  search<Data extends object = Record<string, unknown>>(
    entityType: string,
    q: string,
    options?: SearchOptions,
  ): Listing<SearchHit<Data>>;
}

const SEARCH = `query Search($entityType: String!, $q: String!, $filter: String, $limit: Int, $cursor: String, $includeUnavailable: Boolean, $asOf: DateTime) {
  page: searchPage(entityType: $entityType, q: $q, filter: $filter, limit: $limit, cursor: $cursor, includeUnavailable: $includeUnavailable, asOf: $asOf) { items { ${ENTITY} score } nextCursor } }`;

export const searchesOf = ({ transport }: Core): Searches => ({
  search<Data extends object>(
    entityType: string,
    q: string,
    { filter, includeUnavailable, asOf, pageSize, ...options }: SearchOptions = {},
  ) {
    return new Listing(
      async (request: PageRequest) =>
        (
          await transport.send<{ page: Page<SearchHit<Data>> }>(
            { document: SEARCH, safety: 'read' },
            { entityType, q, filter, ...request, includeUnavailable, asOf: instantOf(asOf) },
            options,
          )
        ).page,
      pageSize,
    );
  },
});
