// CSV as RFC 4180 has it: a header, CRLF, quotes where they are needed; values exactly as they are. Written here and
// not by csv-stringify, which takes longer for a row than reading it from the database; its output is the same (csv.test.ts).
import { type RowTexts, type TableColumn, type TableFormat, cellText, parsedRows } from './table.ts';

/** What is quoted: also a line feed alone, which ends a row for most readers. */
const SPECIAL = /[",\r\n]/;

/** An absent value is nothing at all, an empty text a pair of quotes. */
function field(text: string | null): string {
  if (text === null) return '';
  if (text === '') return '""';
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function lines(columns: readonly TableColumn[], texts: RowTexts): string {
  let written = '';
  for (const row of parsedRows(texts)) {
    let separator = '';
    for (const column of columns) {
      written += separator + field(cellText(column, column.value(row)));
      separator = ',';
    }
    written += '\r\n';
  }
  return written;
}

async function* encode(
  columns: readonly TableColumn[],
  blocks: AsyncIterable<RowTexts>,
): AsyncGenerator<string, void, undefined> {
  yield `${columns.map(({ name }) => field(name)).join(',')}\r\n`;
  for await (const texts of blocks) yield lines(columns, texts);
}

export const csv: TableFormat = { extension: 'csv', mediaType: 'text/csv; charset=utf-8', encode };
