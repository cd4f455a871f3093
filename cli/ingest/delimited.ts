// Reads tables as text: CSV as RFC 4180 has it, TSV without quotes.
import { Failure } from '../failure.ts';

export interface Row { readonly line: number; readonly fields: readonly string[] }

/** Rows with the line each begins on; empty lines are left out. A quoted field may hold delimiters, quotes (doubled) and line ends. */
export async function* rowsOf(chunks: AsyncIterable<string>, delimiter: ',' | '\t'): AsyncGenerator<Row> {
  const quotes = delimiter === ',';
  let fields: string[] = [];
  let field = '';
  let state: 'start' | 'plain' | 'quoted' | 'quote' = 'start'; // `quote`: a quote inside a quoted field, which may end it
  let line = 1;
  let began = 1;

  const endField = (): void => {
    fields.push(field);
    field = '';
    state = 'start';
  };
  const endRow = (): Row | undefined => {
    if (field.endsWith('\r')) field = field.slice(0, -1);
    endField();
    const row = { line: began, fields };
    fields = [];
    began = line + 1;
    return row.fields.length === 1 && row.fields[0] === '' ? undefined : row;
  };

  for await (const chunk of chunks) {
    for (const char of chunk) {
      if (state === 'quoted') {
        if (char === '"') state = 'quote';
        else field += char;
      } else if (state === 'quote' && char === '"') {
        field += char;
        state = 'quoted';
        continue;
      } else if (char === delimiter) endField();
      else if (char === '\n') {
        const row = endRow();
        if (row !== undefined) yield row;
      } else if (quotes && char === '"' && state === 'start') state = 'quoted';
      else {
        field += char;
        if (state === 'start') state = 'plain';
      }
      if (char === '\n') line++;
    }
  }
  if (state === 'quoted') throw new Failure(`line ${began}: a quoted field has no end`);
  if (field !== '' || fields.length > 0) {
    const row = endRow();
    if (row !== undefined) yield row;
  }
}
