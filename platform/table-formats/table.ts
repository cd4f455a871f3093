// A table: named columns with types over rows of JSON, which each format writes in its own way
// (docs/reference/metadata.md#tables).
import { canonicalInstant } from '../instant.ts';

/** What values of a column are; texts with a meaning of their own (enum, uri, ref) are `string`. */
export type ColumnKind = 'string' | 'int' | 'float' | 'bool' | 'date' | 'datetime' | 'json';

export interface TableColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Whether its values are lists of that kind. */
  readonly many: boolean;
  /** The value in a row; undefined or null where it has none. */
  value(row: Readonly<Record<string, unknown>>): unknown;
}

/** Some rows, each as the JSON text of an object. */
export type RowTexts = readonly string[];

export interface TableFormat {
  readonly extension: string;
  readonly mediaType: string;
  /** The file in pieces, each made when it is asked for; rows are taken as they are needed. */
  encode(
    columns: readonly TableColumn[],
    blocks: AsyncIterable<RowTexts>,
  ): AsyncGenerator<string | Uint8Array, void, undefined>;
}

export const parsedRows = (texts: RowTexts): Record<string, unknown>[] =>
  texts.map((text) => JSON.parse(text) as Record<string, unknown>); // an object, by the contract of RowTexts

/** The values of rows by column, in the order of the columns. */
export const valuesOf = (columns: readonly TableColumn[], texts: RowTexts): unknown[][] =>
  parsedRows(texts).map((row) => columns.map((column) => column.value(row) ?? null));

/** The text that a value has where a table knows only text: lists and JSON as JSON. */
export function cellText({ kind, many }: TableColumn, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' && kind !== 'json' && !many) return value;
  return JSON.stringify(value);
}

export const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d\d-\d\d$/;

/** Days since 1970; null for no date. */
function daysOf(text: string): number | null {
  const at = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  return Number.isNaN(at) ? null : at / DAY_MS;
}

/** As the database writes instants. */
const CANONICAL = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** The second that was converted last, null where it is none: rows that follow each other have been written together. */
let latest: { readonly second: string; readonly micros: bigint | null } = { second: '', micros: null };

function microsOfSecond(second: string): bigint | null {
  if (second !== latest.second) {
    const ms = Date.parse(`${second}Z`);
    // days that a month does not have, and hour 24, are of the next one to Date
    const isOne = new Date(ms).getUTCDate() === Number(second.slice(8, 10));
    latest = { second, micros: isOne ? BigInt(ms) * 1000n : null };
  }
  return latest.micros;
}

/** Microseconds since 1970; null for no instant. */
function microsOf(text: string): bigint | null {
  const whole = CANONICAL.test(text) ? microsOfSecond(text.slice(0, 19)) : null;
  if (whole !== null) return whole + BigInt(Number(text.slice(20, 26)));
  const instant = canonicalInstant(text);
  if (instant === null) return null;
  const [, seconds = '', fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(instant) ?? [];
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0'));
}

/**
 * A single value as typed formats keep it: ints and instants (microseconds) as bigint, dates as days, JSON as
 * text. Null where it is not of the kind: states of the past may be of an older schema.
 */
export function typedValue(kind: ColumnKind, value: unknown): string | number | bigint | boolean | null {
  if (value === null || value === undefined) return null;
  switch (kind) {
    case 'string':
      return typeof value === 'string' ? value : null;
    case 'int':
      return Number.isSafeInteger(value) ? BigInt(value as number) : null; // as the check says
    case 'float':
      return typeof value === 'number' ? value : null;
    case 'bool':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? daysOf(value) : null;
    case 'datetime':
      return typeof value === 'string' ? microsOf(value) : null;
    case 'json':
      return JSON.stringify(value);
    default:
      return kind satisfies never;
  }
}
