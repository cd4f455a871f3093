// Writes entities as JSON text in exactly the fields and order of a selection: what the fast way of a read
// answers.
import type { Budget } from '../../../platform/budget/budget.ts';
import { type ColumnType, ENTITY_COLUMNS } from '../../../platform/entity-columns.ts';
import type { TextSelection } from '../../../platform/text-fields.ts';
import { type EntityRow, isoTime } from './entity-record.ts';

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
 * A writer of rows for the selection, or null where it asks for more than an entity's own columns and the
 * `more` of a row that has more.
 */
export function entityWriter<Row extends EntityRow = EntityRow>(
  selection: readonly TextSelection[],
  more: Readonly<Record<string, (row: Row) => string>> = {},
): RowWriter<Row> | null {
  return rowWriter(selection, { ...FIELDS, ...more });
}

/** A writer of rows by the fields that there are, or null where the selection asks for another. */
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
 * Writes one row; within a budget no more than it allows, however often a selection names the same large
 * field.
 * @throws what the budget ended with
 */
export type RowWriter<Row> = (row: Row, budget?: Budget) => string;

/** Rows by comma. @throws what the budget ended with */
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
