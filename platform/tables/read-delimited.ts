// The one reader of CSV and TSV, for whoever reads tables: rows one by one, each with the line on which it begins; a broken one stands alone.
import { pipeline, Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { type CsvError, parse } from 'csv-parse';

/** Characters of one record, at most. */
const MAX_RECORD_LENGTH = 10_485_760;

/** How UTF-16 says that it is that: the parser reads it then. */
const UTF16 = Buffer.from([0xff, 0xfe]);

/** A table that cannot be read at all: its header is of no use, or its bytes are not text. */
export class TableFault extends Error {
  override name = 'TableFault';
  readonly kind: 'header' | 'content';

  constructor(kind: 'header' | 'content', message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** A row by the names of its header; `line` is the one on which it begins, counted from 1, or null where that is not known. */
export type TableRow = { readonly line: number | null } & (
  { readonly cells: readonly (readonly [name: string, cell: string])[] } | { readonly fault: string }
);

/** The same bytes, as long as they are UTF-8: read as if they were, others would become U+FFFD without a word. @throws TableFault */
async function* inUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | null | undefined;
  const check = (chunk?: Uint8Array): void => {
    try {
      decoder?.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      throw new TableFault('content', 'is not valid UTF-8', { cause });
    }
  };
  for await (const chunk of chunks) {
    if (decoder === undefined)
      decoder = UTF16.equals(chunk.subarray(0, 2)) ? null : new TextDecoder('utf-8', { fatal: true });
    check(chunk);
    yield chunk;
  }
  check();
}

const LINE_END = /\r\n|\n|\r/g;
const lineEndsIn = (text: string): number => text.match(LINE_END)?.length ?? 0;

/** What the parser says of a record that it gives up, in words for whoever has written the table. */
function broken(error: CsvError | undefined): { line: number | null; fault: string } {
  const message = error?.message ?? 'the record could not be read';
  if (error?.code === 'CSV_QUOTE_NOT_CLOSED')
    return {
      line: Number(/at line (\d+)/.exec(message)?.[1] ?? error['lines']),
      fault: 'a quoted field has no end',
    };
  const line = Number(error?.['lines'] ?? NaN);
  return { line: Number.isNaN(line) ? null : line, fault: message };
}

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
  readonly raw: string;
}

/** Whether a field begins with a quote that does not end it, and so holds what may be several fields or rows: relaxed quotes take it as it is. */
const isTorn = ({ record, raw }: Parsed): boolean =>
  record.some(
    (field) =>
      field.startsWith('"') && /[\t\r\n]/.test(field) && !raw.includes(`"${field.replaceAll('"', '""')}"`),
  );

/** Whether the parser is within quotes. Where it gives a record up, it is not: else it would take all that follows for that record's field. */
interface Quoting {
  readonly state: { quoting: boolean };
}

/** A broken record, and how many sound ones stand before it: the parser is ahead of who reads. */
type Skipped = { readonly after: number } & ReturnType<typeof broken>;

type Fields = { readonly line: number | null } & (
  { readonly fields: readonly string[] } | { readonly fault: string }
);

/** All rows, the header among them, empty lines left out. */
async function* fieldsOf(chunks: AsyncIterable<Uint8Array>, delimiter: ',' | '\t'): AsyncGenerator<Fields> {
  const skipped: Skipped[] = [];
  let last: Skipped | undefined;
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    bom: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_LENGTH,
    info: true,
    relax_column_count: true, // told below, beside the header
    raw: true,
    relax_quotes: delimiter === '\t', // a quote within a field of TSV is a quote
    skip_records_with_error: true,
    on_skip: (error) => {
      (parser as unknown as Quoting).state.quoting = false; // the parser's own mark, which it leaves as it is
      const one = { after: Number(error?.['records'] ?? 0), ...broken(error) };
      if (last?.after !== one.after || last.line !== one.line) skipped.push(one); // one for each record, whatever else is wrong with it
      last = one;
      return undefined;
    },
  });
  let failure: unknown;
  pipeline(Readable.from(inUtf8(chunks)), parser, (error) => {
    failure = error ?? undefined;
  });
  try {
    let sound = 0;
    for await (const parsed of parser as AsyncIterable<Parsed>) {
      // with `info` and `raw`, as the library says
      const { record: fields, info } = parsed;
      const later = skipped.findIndex(({ after }) => after > sound);
      yield* skipped.splice(0, later < 0 ? skipped.length : later);
      sound++;
      const line = info.lines - fields.reduce((inner, field) => inner + lineEndsIn(field), 0);
      yield delimiter === '\t' && isTorn(parsed)
        ? {
            line: null,
            fault: `before line ${info.lines + 1}: a field begins with a quote that does not end it`,
          }
        : { line, fields };
    }
  } catch (error) {
    throw failure ?? error;
  }
  yield* skipped;
}

/**
 * The rows below the header, whose names are without the spaces around them where `trimmed` is asked for. A row that has more or fewer
 * fields than the header, or a quote in a wrong place, is a fault with its line. Lines end with LF, CR LF or CR.
 * @throws TableFault for bytes that are not UTF-8 (or UTF-16 with its mark), and for a header that cannot be read or names a column twice
 */
export async function* readDelimited(
  chunks: AsyncIterable<Uint8Array>,
  delimiter: ',' | '\t',
  { trimmed = false } = {},
): AsyncGenerator<TableRow> {
  let header: readonly string[] | undefined;
  for await (const row of fieldsOf(chunks, delimiter)) {
    const { line } = row;
    if ('fault' in row) {
      if (header === undefined) throw new TableFault('header', `the header cannot be read: ${row.fault}`);
      yield { line, fault: row.fault };
    } else if (header === undefined) header = namesOf(row.fields, trimmed);
    else if (row.fields.length !== header.length)
      yield { line, fault: `it has ${row.fields.length} fields, the header has ${header.length}` };
    else yield { line, cells: header.map((name, i) => [name, row.fields[i] ?? ''] as const) };
  }
}

/** @throws TableFault for a column that is there twice: one of the two would be lost */
function namesOf(fields: readonly string[], trimmed: boolean): readonly string[] {
  const names = trimmed ? fields.map((name) => name.trim()) : fields;
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new TableFault('header', `the header names the column ${JSON.stringify(twice)} twice`);
  return names;
}
