// Gives the text of table cells the types that the entity type's schema declares, since the platform coerces nothing.
import { type Api, ApiFailure, member, route } from '../api.ts';

type Convert = (cell: string) => unknown;

const number =
  (pattern: RegExp): Convert =>
  (cell) =>
    pattern.test(cell) && (!/^-?\d+$/.test(cell) || Number.isSafeInteger(Number(cell))) ? Number(cell) : cell;
const boolean: Convert = (cell) => (/^true$/i.test(cell) ? true : /^false$/i.test(cell) ? false : cell);
const json: Convert = (cell) => {
  try {
    return JSON.parse(cell);
  } catch {
    return cell; // the platform says what is wrong with it, naming the field
  }
};

const INTEGER = number(/^-?\d+$/);
const FLOAT = number(/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/);

/** Contract 2, `field_type` and its aliases; what is not here stays text. */
const CONVERT: Readonly<Record<string, Convert>> = {
  int: INTEGER,
  integer: INTEGER,
  float: FLOAT,
  number: FLOAT,
  double: FLOAT,
  bool: boolean,
  boolean,
  json,
  object: json,
  dict: json,
  list: json,
};

const TEXT: Convert = (cell) => cell;

/** Several values of one cell: a JSON array, or values between semicolons. */
const many =
  (one: Convert): Convert =>
  (cell) =>
    cell.startsWith('[') ? json(cell) : cell.split(';').map((part) => one(part.trim()));

export type Columns = ReadonlyMap<string, Convert>;

/** What a cell means in a type's column. A cell that does not fit its type stays text, for the platform to refuse by name. */
export const convert = (columns: Columns, name: string, cell: string): unknown =>
  (columns.get(name) ?? TEXT)(cell);

/** Conversions for a type's fields, with those it inherits; none for a type without schema. */
export async function columnsOf(api: Api, type: string, seen: readonly string[] = []): Promise<Columns> {
  let schema: unknown;
  try {
    schema = member(await api.call({ path: route`/api/v1/metadata/schemas/${type}` }), 'data');
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return new Map();
    throw error;
  }
  const { fields, parent } = schema as {
    fields?: readonly { name: string; field_type: string; many?: boolean }[];
    parent?: string | null;
  }; // spec 2 «Schema»
  const inherited =
    typeof parent === 'string' && !seen.includes(parent)
      ? await columnsOf(api, parent, [...seen, type])
      : new Map<string, Convert>();
  const own = (fields ?? []).map((field) => {
    const one = CONVERT[field.field_type] ?? TEXT;
    return [field.name, field.many === true ? many(one) : one] as const;
  });
  return new Map([...inherited, ...own]);
}
