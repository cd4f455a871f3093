// Implements pages of keyset listings (docs/reference/api-conventions.md#pages): bounds and cursors. A cursor
// is self-contained, and sealed.
import { badRequest, type DomainError } from './errors.ts';
import { seal, sealAnew, unseal } from './sealed-text.ts';

export const MAX_PAGE = 1000;

export interface PageBounds {
  readonly limit: number;
  readonly offset: number;
}

/**
 * Rejects a `limit` outside 1–1000 and a negative `offset`.
 * @throws DomainError created by `refuse`; default `invalid_request`
 */
export function checkPage(
  { limit, offset }: PageBounds,
  refuse: (message: string) => DomainError = badRequest,
): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE)
    throw refuse(`limit must be an integer from 1 to ${MAX_PAGE}`);
  if (!Number.isSafeInteger(offset) || offset < 0) throw refuse('offset must be an integer of at least 0');
}

/** How many entries a page leaves out: none where it begins after a cursor, which says its place already. */
export const offsetOf = ({ offset }: Pick<PageBounds, 'offset'>, after: unknown): number =>
  after === null ? offset : 0;

/** Checks the value that a cursor holds for one column of the listing's order. */
export type CursorPart = (value: unknown) => boolean;

export const textPart: CursorPart = (value) =>
  typeof value === 'string' && value.length <= 1000 && !value.includes('\u0000');
export const integerPart: CursorPart = (value) => Number.isSafeInteger(value);
/** A timestamp exactly as the store writes it: microseconds and `Z`. */
export const instantPart: CursorPart = (value) => {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(value)) return false;
  const date = new Date(value); // Date reads 31 February as a day in March; writing it back reveals that
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value.slice(0, 19));
};

/**
 * Encodes the position after a row, given by the row's values in the listing's order. The cursor is opaque
 * and stateless, and does not expire.
 */
export const encodeCursor = (position: readonly (string | number)[]): string =>
  seal(JSON.stringify(position));

/** The same for a position that contains a moment of the log, never the same twice: {@link sealAnew}. */
export const encodeCursorAnew = (position: readonly (string | number)[]): string =>
  sealAnew(JSON.stringify(position));

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (fault) {
    if (fault instanceof SyntaxError) return undefined;
    throw fault;
  }
}

/**
 * What a cursor contains.
 * @throws DomainError created by `refuse`, for one that this deployment has not sealed
 */
export function parsedCursor(cursor: string, refuse: (message: string) => DomainError): unknown {
  const text = unseal(cursor);
  // feed tokens are sealed, too, and are no JSON
  const parsed = text === null ? undefined : parsedOrUndefined(text);
  if (parsed === undefined) throw refuse('cursor does not come from this list');
  return parsed;
}

/**
 * Decodes a cursor to its position; null without a cursor. It may be that of another list: every part is checked
 * against the order.
 * @throws DomainError created by `refuse`, for a cursor that {@link encodeCursor} did not write for this
 * order
 */
export function decodeCursor(
  cursor: string | null | undefined,
  order: readonly CursorPart[],
  refuse: (message: string) => DomainError = badRequest,
): readonly (string | number)[] | null {
  if (cursor === null || cursor === undefined) return null;
  const position = parsedCursor(cursor, refuse);
  const sound =
    Array.isArray(position) &&
    position.length === order.length &&
    order.every((part, i) => part(position[i]));
  if (!sound) throw refuse('cursor does not come from this list');
  return position as (string | number)[]; // each part was checked to be one or the other
}

/**
 * The same for a list that may be read as of an instant: then its cursors end with that instant, and need it not
 * beside them; also with the one that was asked for, where it had not passed.
 * @throws DomainError as {@link decodeCursor}; also for a cursor of another instant, or of the present
 */
export function decodeCursorAt(
  cursor: string | null | undefined,
  order: readonly CursorPart[],
  asOf: string | null,
): {
  readonly after: readonly (string | number)[] | null;
  readonly asOf: string | null;
  readonly asked: string | null;
} {
  if (cursor === null || cursor === undefined) return { after: null, asOf, asked: asOf };
  const decoded = parsedCursor(cursor, badRequest);
  const instants = Array.isArray(decoded) ? Math.min(Math.max(decoded.length - order.length, 0), 2) : 0;
  const parts = [...order, ...Array.from({ length: instants }, () => instantPart)];
  const position = decodeCursor(cursor, parts) ?? [];
  const [own = null, asked = own] = position.slice(order.length).map(String);
  if (asOf !== null && asOf !== own && asOf !== asked)
    throw badRequest('cursor comes from this list as of another time');
  return { after: position.slice(0, order.length), asOf: own, asked };
}

/** What a cursor of such a list has at its end. */
export const endOfCursor = (asOf: string | null, asked: string | null = asOf): readonly string[] =>
  [asOf, asked === asOf ? null : asked].filter((instant) => instant !== null);

export interface Page<Row> {
  readonly items: readonly Row[];
  /** Cursor of the next page; null on the last page. */
  readonly nextCursor: string | null;
}

/** Cuts a page out of rows that were queried with a limit of one more than the page's. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  position: (row: Row) => readonly (string | number)[],
): Page<Row> {
  const items = rows.length > limit ? rows.slice(0, limit) : rows;
  const last = items.at(-1);
  return {
    items,
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(position(last)) : null,
  };
}
