// Reads CSV and TSV tables row by row. Each row has the number of the line on which it begins. A malformed
// record is reported as a fault, and reading continues with the next one.
import { pipeline, Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { decodeText } from './decode-text.ts';
import { distinct, TableFault, type TableRow, tidiedNames } from './table-row.ts';

/** Maximum length of one record, in characters. */
const MAX_RECORD_LENGTH = 10_485_760;

const LINE_END = /\r\n|\n|\r/g;
const lineEndsIn = (text: string): number => text.match(LINE_END)?.length ?? 0;
const pairsIn = (text: string): number => text.match(/\r\n/g)?.length ?? 0;
const sumOf = (fields: readonly string[], count: (text: string) => number): number =>
  fields.reduce((sum, field) => sum + count(field), 0);

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
async function* fieldsOf(
  chunks: AsyncIterable<Uint8Array>,
  delimiter: string,
  { encoding, areQuotesLiteral }: DelimitedOptions,
): AsyncGenerator<Fields> {
  const skipped: Skipped[] = [];
  let last: Skipped | undefined;
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_LENGTH,
    info: true,
    relax_column_count: true, // the number of columns is checked against the header below
    raw: true,
    relax_quotes: areQuotesLiteral === true,
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
  pipeline(Readable.from(decodeText(chunks, encoding)), parser, (error) => {
    failure = error ?? undefined;
  });
  try {
    let sound = 0;
    // CR LF within quotes, which the parser counts as two lines
    let twice = 0;
    const told = (skips: readonly Skipped[]): Skipped[] =>
      skips.map((skip) => ({ ...skip, line: skip.line === null ? null : skip.line - twice }));
    for await (const parsed of parser as AsyncIterable<Parsed>) {
      // The options `info` and `raw` produce this type.
      const { record: fields, info } = parsed;
      const later = skipped.findIndex(({ after }) => after > sound);
      yield* told(skipped.splice(0, later < 0 ? skipped.length : later));
      sound++;
      twice += sumOf(fields, pairsIn);
      const line = info.lines - twice - sumOf(fields, lineEndsIn);
      yield areQuotesLiteral === true && isTorn(parsed)
        ? {
            line: null,
            fault: `before line ${info.lines - twice + 1}: a field begins with a quote that is not closed at its end`,
          }
        : { line, fields };
    }
    yield* told(skipped);
  } catch (error) {
    throw failure ?? error;
  }
}

export interface DelimitedOptions {
  /** Names of columns are trimmed; columns without a name have one by position. */
  readonly isTidied?: boolean | undefined;
  /** A label of the Encoding Standard; default: UTF-16 with a byte order mark, else UTF-8. */
  readonly encoding?: string | undefined;
  /** Whether a quote inside a field is literal, as in TSV. */
  readonly areQuotesLiteral?: boolean | undefined;
}

/** Fields beyond the header that are all empty: delimiters at the end of a line. */
const isSurplus = (fields: readonly string[], header: readonly string[]): boolean =>
  fields.length > header.length && fields.slice(header.length).every((field) => field === '');

/**
 * Returns the rows below the header. A row that has more or fewer fields than the header, or a quote in a wrong
 * place, is a fault with its line; empty fields beyond the header are left out. Lines end with LF, CR LF or CR.
 * @throws TableFault for bytes that are not text, and for a header that cannot be read or names a column twice
 */
export async function* readDelimited(
  chunks: AsyncIterable<Uint8Array>,
  delimiter: string,
  options: DelimitedOptions = {},
): AsyncGenerator<TableRow> {
  let header: readonly string[] | undefined;
  for await (const row of fieldsOf(chunks, delimiter, options)) {
    const { line } = row;
    if ('fault' in row) {
      if (header === undefined) throw new TableFault('header', `the header cannot be read: ${row.fault}`);
      yield { line, fault: row.fault };
    } else if (header === undefined)
      header = options.isTidied === true ? tidiedNames(row.fields) : distinct(row.fields);
    else if (row.fields.length !== header.length && !isSurplus(row.fields, header))
      yield {
        line,
        fault: `the row has ${row.fields.length} fields, the header has ${header.length}`,
        fields: row.fields,
      };
    else yield { line, row: Object.fromEntries(header.map((name, i) => [name, row.fields[i] ?? ''])) };
  }
}
