// Serialises entities as JSON text with exactly the fields and order of a selection: the fast path of reads.
import { type ColumnType, ENTITY_COLUMNS } from '../../../platform/entity-columns.ts';
import { type RowWriter, rowWriter } from '../../../platform/row-writer.ts';
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
