// A line of an archive's table, as strictly as the API takes JSON (docs/reference/api-conventions.md#json).
import { findJsonFault } from '../json-faults.ts';
import { isObject } from '../json-object.ts';
import { MAX_JSON_DEPTH } from '../json-shape.ts';
import { SUSPICIOUS } from '../json.ts';
import { refused } from './archive-format.ts';
import type { TableSection } from './table-section.ts';

export type ArchivedRow = Readonly<Record<string, unknown>>;

/** The levels of a line around a value that was sent: the row, the event's payload, and its state. */
const LEVELS_AROUND = 3;

const isWithin = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((one) => isWithin(one, levels - 1)));

/** @throws DomainError where it is not a row of that table, or holds what could not be stored exactly */
export function readArchivedRow({ name, columns }: TableSection, line: string): ArchivedRow {
  const refuse = (why: string, options?: ErrorOptions) =>
    refused(`has a line of ${name} that ${why}: ${line.slice(0, 100)}`, options);
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch (cause) {
    throw refuse('is not JSON', { cause });
  }
  if (!isObject(row)) throw refuse('is not an object');
  if (!isWithin(row, MAX_JSON_DEPTH + LEVELS_AROUND)) throw refuse('is nested too deeply');
  const fault = SUSPICIOUS.test(line) ? findJsonFault(line) : undefined;
  if (fault) throw refuse(`cannot be stored (${fault.path}: ${fault.message})`);
  const names = Object.keys(row);
  if (names.length !== columns.length || columns.some((column, i) => column.name !== names[i]))
    throw refuse(`has other members than ${columns.map((column) => column.name).join(', ')}`);
  return row;
}
