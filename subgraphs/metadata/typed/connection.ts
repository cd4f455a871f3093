// Relay connections of the typed part: `first` after a cursor, or `last` before one.
import { invalid } from '../../../platform/errors.ts';
import type { EntityPage, Explanation } from '../entities/entities.service.ts';
import { EntityRecord } from '../reading/entity-record.ts';
import type { PageRow } from '../reading/page-request.ts';

export interface ConnectionArgs {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

/** The requested page: its size, cursor and direction. */
export interface ConnectionBounds {
  readonly count: number;
  readonly cursor: string | null;
  readonly backwards: boolean;
}

export interface Connection extends Explained {
  readonly page: EntityPage;
  readonly rows: readonly PageRow[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** What tells how it is read; absent of lists that follow a reference back, which are read with those of other entities. */
export interface Explained {
  readonly explanation?: () => Promise<Explanation>;
}

const USUAL = 100;
const MAX_PAGE = 1000;

/**
 * An empty page is valid: it has the total count.
 * @throws DomainError `validation_failed` for bounds that exclude each other, or are out of range
 */
export function boundsOf({
  first = null,
  after = null,
  last = null,
  before = null,
}: ConnectionArgs): ConnectionBounds {
  const backwards = last !== null || before !== null;
  if (backwards && (first !== null || after !== null))
    throw invalid('give either `first` and `after`, or `last` and `before`');
  const count = (backwards ? last : first) ?? USUAL;
  if (count < 0 || count > MAX_PAGE)
    throw invalid(`${backwards ? 'last' : 'first'} must be an integer from 0 to ${MAX_PAGE}`);
  return { count, cursor: backwards ? before : after, backwards };
}

/** A connection in the order of the listing, in whichever direction its page was read. */
export function connectionOf({ count, cursor, backwards }: ConnectionBounds, page: EntityPage): Connection {
  const rows = count === 0 ? [] : page.rows;
  const more = page.nextCursor !== null || rows.length < page.rows.length;
  return backwards
    ? { page, rows: rows.toReversed(), hasNextPage: cursor !== null, hasPreviousPage: more }
    : { page, rows, hasNextPage: more, hasPreviousPage: cursor !== null };
}

const node =
  ({ page }: Connection) =>
  (row: PageRow): EntityRecord =>
    new EntityRecord(row, page.at);

/** Resolvers of every type's connection. */
export const CONNECTION = {
  edges: (connection: Connection) =>
    connection.rows.map((row) => ({ cursor: connection.page.cursorOf(row), node: node(connection)(row) })),
  nodes: (connection: Connection) => connection.rows.map(node(connection)),
  totalCount: ({ page }: Connection) => page.total(),
  pageInfo: ({ page, rows, hasNextPage, hasPreviousPage }: Connection) => {
    const [first, last] = [rows[0], rows.at(-1)];
    return {
      hasNextPage,
      hasPreviousPage,
      startCursor: first ? page.cursorOf(first) : null,
      endCursor: last ? page.cursorOf(last) : null,
    };
  },
};
