// Opens a table for a command: a file, or standard input, as the rows that the shared reader yields.
import { createReadStream, statSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { SourceFormat, TableSource } from '../../platform/tables/read-table.ts';
import type { TableRow } from '../../platform/tables/table-row.ts';
import { Failure, UsageFailure } from '../failure.ts';
import type { Session } from '../session.ts';

/** As on the command line: both names of NDJSON are common. */
export const FORMAT_NAMES = ['csv', 'tsv', 'xlsx', 'json', 'ndjson', 'jsonl', 'parquet'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

export interface TableFlags {
  readonly format?: FormatName;
  readonly delimiter?: string;
  readonly encoding?: string;
  readonly sheet?: string;
  readonly records?: string;
}

export interface OpenTable {
  readonly format: SourceFormat;
  readonly rows: AsyncGenerator<TableRow>;
  /** The part that was read, from 0 to 1; undefined where the size is not known. */
  readonly part: () => number | undefined;
  close(): void;
}

const plain = (name: FormatName): SourceFormat => (name === 'jsonl' ? 'ndjson' : name);

const DELIMITERS: Readonly<Record<string, string>> = { tab: '\t', '\\t': '\t', comma: ',', semicolon: ';' };

const sheetOf = (sheet: string | undefined): string | number | undefined =>
  sheet !== undefined && /^\d{1,5}$/.test(sheet) ? Number(sheet) : sheet;

interface Source {
  readonly source: TableSource;
  readonly stream: Readable | null;
  readonly size: number | undefined;
}

function sourceOf(session: Session, file: string, format: SourceFormat): Source {
  // Streams without an encoding return bytes.
  if (file === '-')
    return {
      // without an encoding
      source: { chunks: session.stdin as AsyncIterable<Uint8Array> },
      stream: session.stdin,
      size: undefined,
    };
  const location = path.resolve(session.cwd, file);
  const found = statSync(location, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) throw new UsageFailure(`${file} is not a file`);
  if (format === 'xlsx' || format === 'parquet')
    return { source: { file: location }, stream: null, size: undefined };
  const stream = createReadStream(location);
  const size = found.isFile() ? found.size : undefined;
  // without an encoding
  return { source: { chunks: stream as AsyncIterable<Uint8Array> }, stream, size };
}

/** @throws UsageFailure, Failure */
export async function openTable(session: Session, file: string, flags: TableFlags): Promise<OpenTable> {
  const { formatOf, readTable } = await import('../../platform/tables/read-table.ts');
  const usual = file === '-' ? 'ndjson' : formatOf(file);
  const format = flags.format === undefined ? usual : plain(flags.format);
  if (format === undefined)
    throw new UsageFailure(
      `the name of ${file} has no known extension: give --format ${FORMAT_NAMES.join('|')}`,
    );
  const { source, stream, size } = sourceOf(session, file, format);
  let total: number | undefined;
  let read = 0;
  const rows = async function* (): AsyncGenerator<TableRow> {
    for await (const row of readTable(source, {
      format,
      isTidied: true,
      delimiter: DELIMITERS[flags.delimiter ?? ''] ?? flags.delimiter,
      encoding: flags.encoding,
      sheet: sheetOf(flags.sheet),
      records: flags.records,
      onTotal: (count) => {
        total = count;
      },
    })) {
      read++;
      yield row;
    }
  };
  return {
    format,
    rows: explained(rows(), file === '-' ? 'the input' : file, flags),
    part: () => {
      if (total !== undefined) return total === 0 ? 1 : read / total;
      if (size === undefined || stream === null || !('bytesRead' in stream)) return undefined;
      return size === 0 ? 1 : Number(stream.bytesRead) / size;
    },
    close: () => stream?.destroy(),
  };
}

/** @throws UsageFailure for an invalid header, Failure for what cannot be read */
async function* explained(
  rows: AsyncGenerator<TableRow>,
  name: string,
  { encoding }: TableFlags,
): AsyncGenerator<TableRow> {
  const { TableFault } = await import('../../platform/tables/table-row.ts');
  try {
    yield* rows;
  } catch (cause) {
    if (!(cause instanceof TableFault)) throw cause;
    if (cause.kind === 'header') throw new UsageFailure(`${name}: ${cause.message}`);
    const advice =
      encoding === undefined && cause.message.includes('UTF-8')
        ? ': give its encoding, such as --encoding windows-1252'
        : '';
    throw new Failure(`${name} ${cause.message}${advice}`, {}, { cause });
  }
}
