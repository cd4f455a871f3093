// CSV as RFC 4180 has it: a header, CRLF, quotes where they are needed; values exactly as they are.
import { stringify } from 'csv-stringify/sync';
import { type RowTexts, type TableColumn, type TableFormat, cellText, valuesOf } from './table.ts';

/** An absent value is nothing at all, an empty text a pair of quotes. */
const lines = (records: readonly (readonly (string | null)[])[]): string =>
  stringify(records as (string | null)[][], { record_delimiter: '\r\n', quoted_match: /^$/ });

async function* encode(
  columns: readonly TableColumn[],
  blocks: AsyncIterable<RowTexts>,
): AsyncGenerator<string, void, undefined> {
  yield lines([columns.map(({ name }) => name)]);
  for await (const texts of blocks)
    yield lines(
      valuesOf(columns, texts).map((values) => columns.map((column, i) => cellText(column, values[i]))),
    );
}

export const csv: TableFormat = { extension: 'csv', mediaType: 'text/csv; charset=utf-8', encode };
