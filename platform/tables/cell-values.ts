// Converts cells of tables to the types that the entity type's schema declares, because writes do not coerce values.
import { numberFault } from '../json-faults.ts';

/** A value that a field does not have: an empty cell. */
const isAbsent = (cell: unknown): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');

type ParseJson = (text: string) => unknown;
type ConvertText = (text: string, parseJson: ParseJson) => unknown;

const number =
  (pattern: RegExp): ConvertText =>
  (text) =>
    pattern.test(text) && numberFault(text.replace(/^\+/, '')) === undefined ? Number(text) : text;
const boolean: ConvertText = (text) =>
  /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
const json: ConvertText = (text, parseJson) => parseJson(text);
const trimmed: ConvertText = (text) => text;

const INTEGER = number(/^-?\d+$/);
const FLOAT = number(/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/);

/** By docs/reference/metadata.md#field-types, of text without white space around it; `string` keeps that. */
const CONVERT: Readonly<Record<string, ConvertText>> = {
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
  date: trimmed,
  datetime: trimmed,
  timestamp: trimmed,
  enum: trimmed,
  uri: trimmed,
  ref: trimmed,
  reference: trimmed,
};

const JSON_TYPES = ['json', 'object', 'dict', 'list'];
const DATETIME = ['datetime', 'timestamp'];
const WITHOUT_TEXT = [...JSON_TYPES, 'int', 'integer', 'float', 'number', 'double'];

/** A field of a type, as far as a load of tables needs it. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isMany: boolean;
}

export type Fields = ReadonlyMap<string, Field>;

export interface CellOptions {
  /** Between several values in one cell. */
  readonly separator: string;
  /** Whether the table has types of its own: its days may stand for instants, its numbers for texts. */
  readonly isTyped: boolean;
  /** The value of a cell of JSON; what is none stays a text. */
  readonly parseJson: ParseJson;
}

function convertOne(cell: unknown, { type }: Field, { isTyped, parseJson }: CellOptions): unknown {
  if (typeof cell === 'string') {
    const convert = CONVERT[type];
    if (convert === undefined) return cell;
    const text = cell.trim();
    if (isTyped && DATETIME.includes(type) && /^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T00:00:00Z`;
    return convert(text, parseJson);
  }
  if (isTyped && (typeof cell === 'number' || typeof cell === 'boolean'))
    return WITHOUT_TEXT.includes(type) || type.startsWith('bool') ? cell : String(cell);
  return cell;
}

/**
 * The value of a field by a cell; undefined for an empty one. A cell that does not fit its type stays as it is,
 * so that the platform refuses it and names the field. `isJson`: the cell is a JSON value, not the text of one.
 */
export function convert(
  cell: unknown,
  field: Field | undefined,
  options: CellOptions,
  isJson = false,
): unknown {
  if (isJson && typeof cell === 'string' && field?.isMany === false && JSON_TYPES.includes(field.type))
    return cell;
  if (isAbsent(cell)) return undefined;
  if (field === undefined) return cell;
  if (!field.isMany) return convertOne(cell, field, options);
  if (typeof cell === 'string') {
    const text = cell.trim();
    if (text.startsWith('[')) return options.parseJson(text);
    return text
      .split(options.separator)
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) => convertOne(part, field, options));
  }
  return Array.isArray(cell) ? cell : [convertOne(cell, field, options)];
}
