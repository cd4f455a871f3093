// Serialises entities as JSON text with exactly the fields and order of a selection: the fast path of reads.
import type { Budget } from '../../../platform/budget/budget.ts';
import { type ColumnType, ENTITY_COLUMNS } from '../../../platform/entity-columns.ts';
import type { TextSelection } from '../../../platform/text-fields.ts';
import { type EntityRow, isoTime } from '../reading/entity-record.ts';

/** JSON of the database's text. */
const WRITE: Readonly<Record<ColumnType, (text: string) => string>> = {
  text: (text) => JSON.stringify(text),
  name: (text) => JSON.stringify(text),
  integer: (text) => text,
  boolean: (text) => (text === 't' ? 'true' : 'false'),
  instant: (text) => `"${isoTime(text)}"`,
  object: (text) => text,
};

const FIELDS: Readonly<Record<string, (row: EntityRow) => string>> = {
  ...Object.fromEntries(
    ENTITY_COLUMNS.map(({ field, name, type }) => {
      const write = WRITE[type];
      return [
        field,
        (row: EntityRow) => {
          const text = row[name];
          return text === null ? 'null' : write(text);
        },
      ];
    }),
  ),
  __typename: () => '"Entity"',
};

/**
 * A serialiser for the selection, or null if it selects more than an entity's own columns and `more`, the
 * additional columns of a row.
 */
export function entityWriter<Row extends EntityRow = EntityRow>(
  selection: readonly TextSelection[],
  more: Readonly<Record<string, (row: Row) => string>> = {},
): RowWriter<Row> | null {
  return rowWriter(selection, { ...FIELDS, ...more });
}

/** A serialiser for the available fields, or null if the selection has another one. */
export function rowWriter<Row>(
  selection: readonly TextSelection[],
  fields: Readonly<Record<string, (row: Row) => string>>,
): RowWriter<Row> | null {
  const parts: { prefix: string; write: (row: Row) => string }[] = [];
  for (const { key, name, hasArguments } of selection) {
    const write = Object.hasOwn(fields, name) && !hasArguments ? fields[name] : undefined;
    if (!write) return null;
    parts.push({ prefix: `${parts.length === 0 ? '{' : ','}${JSON.stringify(key)}:`, write });
  }
  return (row, budget) => {
    const most = budget?.limits.bytes ?? Infinity;
    let text = '';
    for (const part of parts) {
      text += part.prefix + part.write(row);
      if (text.length > most) budget?.write(text.length);
      if (budget?.ended !== undefined) throw budget.ended;
    }
    return `${text}}`;
  };
}

/**
 * Serialises one row within the budget, also if a selection names the same large field many times.
 * @throws the error that ended the budget
 */
export type RowWriter<Row> = (row: Row, budget?: Budget) => string;

/** The rows, separated by commas. @throws the error that ended the budget */
export function writeRows<Row>(
  rows: readonly Row[],
  write: RowWriter<Row>,
  budget: Budget | undefined,
): string {
  const most = budget?.limits.bytes ?? Infinity;
  const texts: string[] = [];
  let length = 0;
  for (const row of rows) {
    const text = write(row, budget);
    texts.push(text);
    if ((length += text.length) > most) budget?.write(length);
    if (budget?.ended !== undefined) throw budget.ended;
  }
  return texts.join(',');
}
