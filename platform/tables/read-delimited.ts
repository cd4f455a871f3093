// Reads CSV and TSV tables row by row. Each row has the number of the line on which it begins. A malformed
// record is reported as a fault, and reading continues with the next one.
import { pipeline, Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { type CsvError, parse } from 'csv-parse';

/** Maximum length of one record, in characters. */
const MAX_RECORD_LENGTH = 10_485_760;

/** The byte order mark of UTF-16 (little endian). The parser decodes such input itself. */
const UTF16 = Buffer.from([0xff, 0xfe]);

/** A table that cannot be read at all: its header is invalid, or its bytes are not valid text. */
export class TableFault extends Error {
  override name = 'TableFault';
  readonly kind: 'header' | 'content';

  constructor(kind: 'header' | 'content', message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/**
 * A row's cells by column name, or its fault. `line` is the line on which the row begins, counted from 1;
 * null where it is not known.
 */
export type TableRow = { readonly line: number | null } & (
  { readonly cells: readonly (readonly [name: string, cell: string])[] } | { readonly fault: string }
);

/**
 * Passes the bytes through while they are valid UTF-8. The parser would silently replace invalid bytes by
 * U+FFFD.
 * @throws TableFault
 */
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

/** Converts the parser's error for a skipped record into a line number and a message. */
function broken(error: CsvError | undefined): { line: number | null; fault: string } {
  const message = error?.message ?? 'the record could not be read';
  if (error?.code === 'CSV_QUOTE_NOT_CLOSED')
    return {
      line: Number(/at line (\d+)/.exec(message)?.[1] ?? error['lines']),
      fault: 'a quoted field is not closed',
    };
  const line = Number(error?.['lines'] ?? NaN);
  return { line: Number.isNaN(line) ? null : line, fault: message };
}

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
  readonly raw: string;
}

/**
 * Whether a field begins with a quote that is not closed. With relaxed quotes, such a field may contain
 * several fields or rows.
 */
const isTorn = ({ record, raw }: Parsed): boolean =>
  record.some(
    (field) =>
      field.startsWith('"') && /[\t\r\n]/.test(field) && !raw.includes(`"${field.replaceAll('"', '""')}"`),
  );

/**
 * The parser's internal flag for "inside quotes". It must be reset when a record is skipped; otherwise the
 * parser would read the rest of the input as part of that record's field.
 */
interface Quoting {
  readonly state: { quoting: boolean };
}

/**
 * A malformed record, and the number of valid records before it. The parser reads ahead of its consumer, so
 * the position is needed to keep the order.
 */
type Skipped = { readonly after: number } & ReturnType<typeof broken>;

type Fields = { readonly line: number | null } & (
  { readonly fields: readonly string[] } | { readonly fault: string }
);

/** Returns all rows including the header, without empty lines. */
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
    relax_column_count: true, // the number of columns is checked against the header below
    raw: true,
    relax_quotes: delimiter === '\t', // in TSV, a quote inside a field is literal
    skip_records_with_error: true,
    on_skip: (error) => {
      (parser as unknown as Quoting).state.quoting = false; // the parser does not reset its own flag
      const one = { after: Number(error?.['records'] ?? 0), ...broken(error) };
      // Report one fault per record, even where it has several errors.
      if (last?.after !== one.after || last.line !== one.line) skipped.push(one);
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
      // The options `info` and `raw` produce this type.
      const { record: fields, info } = parsed;
      const later = skipped.findIndex(({ after }) => after > sound);
      yield* skipped.splice(0, later < 0 ? skipped.length : later);
      sound++;
      const line = info.lines - fields.reduce((inner, field) => inner + lineEndsIn(field), 0);
      yield delimiter === '\t' && isTorn(parsed)
        ? {
            line: null,
            fault: `before line ${info.lines + 1}: a field begins with a quote that is not closed at its end`,
          }
        : { line, fields };
    }
  } catch (error) {
    throw failure ?? error;
  }
  yield* skipped;
}

/**
 * Returns the rows below the header. With `trimmed`, column names are trimmed. A row that has more or fewer
 * fields than the header, or a quote in a wrong place, is a fault with its line. Lines end with LF, CR LF or
 * CR.
 * @throws TableFault for bytes that are not UTF-8 (or UTF-16 with a byte order mark), and for a header that
 * cannot be read or names a column twice
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
      yield { line, fault: `the row has ${row.fields.length} fields, the header has ${header.length}` };
    else yield { line, cells: header.map((name, i) => [name, row.fields[i] ?? ''] as const) };
  }
}

/** @throws TableFault for a duplicate column: one of the two would be lost */
function namesOf(fields: readonly string[], trimmed: boolean): readonly string[] {
  const names = trimmed ? fields.map((name) => name.trim()) : fields;
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new TableFault('header', `the header names the column ${JSON.stringify(twice)} twice`);
  return names;
}
