// Values and rows of typed tables (sheets, Parquet) as JSON values.
import { numberFault } from '../json-faults.ts';
import { isObject } from '../json-object.ts';
import { jsonSize } from '../json-size.ts';
import { MAX_RECORD_BYTES, type TableRow } from './table-row.ts';

/** A value that JSON does not have; a reader may put it in the place of the value. */
export class NotPlain extends Error {}

const MIDNIGHT = 'T00:00:00.000Z';

/** A row, or that it is too long: the same long text may stand in every cell of a small file. */
export const notTooLong = (line: number, row: unknown): TableRow =>
  jsonSize(row, MAX_RECORD_BYTES) < MAX_RECORD_BYTES
    ? { line, row }
    : { line, fault: `the row is longer than ${MAX_RECORD_BYTES} bytes` };

/** A day where it is one, else an instant. */
export function timeText(value: Date): string {
  const text = value.toISOString();
  return text.endsWith(MIDNIGHT) ? text.slice(0, -MIDNIGHT.length) : text;
}

function plainNumber(value: number): number | null {
  if (Number.isNaN(value)) return null; // what data frames write for an absent number
  if (!Number.isFinite(value)) throw new NotPlain(`the number ${value} cannot be stored`);
  return value;
}

/** @throws NotPlain for what would change silently: infinity, integers that no double holds, bytes */
export function plainValue(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (value instanceof NotPlain) throw value;
  if (typeof value === 'number') return plainNumber(value);
  if (typeof value === 'bigint') {
    if (numberFault(String(value)) !== undefined)
      throw new NotPlain(`the number ${value} cannot be stored exactly`);
    return Number(value);
  }
  if (value instanceof Date) return timeText(value);
  if (Array.isArray(value)) return value.map(plainValue);
  if (value instanceof Uint8Array) throw new NotPlain('bytes cannot be stored in a field');
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainValue(member)]));
  return value;
}
