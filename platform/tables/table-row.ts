// The rows that all readers of tables yield, and the fault of a table that cannot be read.

/** Maximum bytes of one row: a line, a record of a document, a row of Parquet. */
export const MAX_RECORD_BYTES = 10_485_760;

/** A table that cannot be read at all: its header is invalid, or its bytes are not what the format says. */
export class TableFault extends Error {
  override name = 'TableFault';
  readonly kind: 'header' | 'content';

  constructor(kind: 'header' | 'content', message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/**
 * A row: an object by column names where the table has columns, any JSON value in JSON; or its fault, with the
 * fields as far as they could be read. `line` is the line (of a sheet or Parquet file: the row) on which it
 * begins, counted from 1; null where it is not known.
 */
export type TableRow = { readonly line: number | null } & (
  | {
      readonly row: unknown;
      /** Columns whose cells are JSON values already: a text in them is a text, whatever it says. */
      readonly jsonColumns?: readonly string[];
    }
  | { readonly fault: string; readonly fields?: readonly string[] }
);

/**
 * Column names for a person's table: trimmed, and by position (`column 3`) where there is none.
 * @throws TableFault for a duplicate: one of the two columns would be lost
 */
export function tidiedNames(fields: readonly string[]): readonly string[] {
  return distinct(fields.map((name, i) => name.trim() || `column ${i + 1}`));
}

/** @throws TableFault for a duplicate */
export function distinct(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name))
      throw new TableFault('header', `the header names the column ${JSON.stringify(name)} twice`);
    seen.add(name);
  }
  return names;
}
