// Cursors: opaque and stateless; they contain their order and the last entity's keys
// (docs/reference/api-conventions.md#cursors, docs/reference/metadata.md#pages).
import { invalid } from '../../../platform/errors.ts';
import { oncePer } from '../../../platform/once-per.ts';
import type { PageRow } from '../reading/page-request.ts';
import type { Moment } from '../reading/timeline.ts';
import { isWellFormed } from '../reading/constants.ts';
import { isList } from '../../../platform/json-object.ts';
import { parsedCursor } from '../../../platform/paging.ts';
import { seal, sealAnew } from '../../../platform/sealed-text.ts';

const POSITION = /^\d{1,18}$/;

/** The cursor of the page after the entity whose order keys are the JSON text `keys`, at a moment. */
export const writeCursor = (order: string, at: Moment, keys: string): string =>
  (at === null ? seal : sealAnew)(`[${JSON.stringify(order)},${JSON.stringify(at)},${keys}]`);

/** The cursors of a page's rows: an edge and the page that ends with it have the same text. */
export const cursorsOf = (page: {
  readonly orderName: string;
  readonly at: Moment;
}): ((row: PageRow) => string) => oncePer((row) => writeCursor(page.orderName, page.at, row.order_keys));

/** The order of a cursor; undefined for an invalid cursor. */
export function orderOfCursor(cursor: string): unknown {
  const parts = parsedCursor(cursor, invalid);
  return Array.isArray(parts) ? parts[0] : undefined;
}

/** @throws DomainError `validation_failed` for anything but a cursor of this order */
export function readCursor(
  order: string,
  types: readonly string[],
  cursor: string,
): { at: Moment; keys: readonly string[] } {
  const refuse = (): never => {
    throw invalid('cursor does not come from this list in this order');
  };
  const parts = parsedCursor(cursor, invalid);
  if (!isList(parts) || parts.length !== 3 || parts[0] !== order) return refuse();
  const [, at, keys] = parts;
  if (at !== null && !(typeof at === 'string' && POSITION.test(at))) return refuse();
  if (!Array.isArray(keys) || keys.length !== types.length) return refuse();
  return {
    at,
    keys: keys.map((key: unknown, i): string => {
      if (typeof key !== 'string' || key.includes('\u0000')) return refuse();
      if (types[i] === 'bigint' && !POSITION.test(key)) return refuse();
      if (types[i] === 'jsonb' && !canBeStored(key)) return refuse();
      return key;
    }),
  };
}

/** Whether the text is a JSON value that PostgreSQL accepts: a cursor comes from the caller. */
function canBeStored(text: string): boolean {
  let sound = true;
  const look = (key: string, value: unknown): unknown => {
    sound &&=
      isWellFormed(key) &&
      value !== Infinity &&
      value !== -Infinity &&
      (typeof value !== 'string' || isWellFormed(value));
    return value;
  };
  try {
    JSON.parse(text, look);
  } catch (fault) {
    if (fault instanceof SyntaxError) return false;
    throw fault;
  }
  return sound;
}
