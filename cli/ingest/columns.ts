// Converts the text of table cells to the types that the entity type's schema declares, because the platform
// does not coerce values.
import { type Api, ApiFailure, member, route } from '../api.ts';

type Convert = (cell: string) => unknown;

const number =
  (pattern: RegExp): Convert =>
  (cell) =>
    pattern.test(cell) && (!/^-?\d+$/.test(cell) || Number.isSafeInteger(Number(cell))) ? Number(cell) : cell;
const boolean: Convert = (cell) => (/^(?:true|false)$/i.test(cell) ? cell.toLowerCase() === 'true' : cell);
const json: Convert = (cell) => {
  try {
    return JSON.parse(cell);
  } catch {
    return cell; // the platform reports the fault and names the field
  }
};

const INTEGER = number(/^-?\d+$/);
const FLOAT = number(/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/);

/** By docs/reference/metadata.md#field-types; a type that is not listed stays text. */
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

/** Several values in one cell: a JSON array, or values separated by semicolons. */
const many =
  (one: Convert): Convert =>
  (cell) =>
    cell.startsWith('[') ? json(cell) : cell.split(';').map((part) => one(part.trim()));

export type Columns = ReadonlyMap<string, Convert>;

/**
 * Converts a cell of a type's column. A cell that does not fit its type stays text, so that the platform
 * rejects it and names the field.
 */
export const convert = (columns: Columns, name: string, cell: string): unknown =>
  (columns.get(name) ?? TEXT)(cell);

/**
 * Returns the conversions for a type's fields, including inherited ones; none for a type without a schema.
 */
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
  }; // docs/reference/metadata.md#schema-definition
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
