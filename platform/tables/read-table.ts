// The one reader of tables: for the command line, for triggers and for the API. What a format needs is loaded
// when it is read.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { JsonLimits } from '../json-shape.ts';
import type { TableRow } from './table-row.ts';

export const SOURCE_FORMATS = ['csv', 'tsv', 'xlsx', 'json', 'ndjson', 'parquet'] as const;
export type SourceFormat = (typeof SOURCE_FORMATS)[number];

const ENDINGS: Readonly<Record<string, SourceFormat>> = {
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  txt: 'tsv',
  xlsx: 'xlsx',
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  parquet: 'parquet',
};

/** The format for a file's extension; undefined for an unknown one. */
export const formatOf = (file: string): SourceFormat | undefined =>
  ENDINGS[path.extname(file).slice(1).toLowerCase()];

/** A file of this machine, or bytes as they come. */
export type TableSource = { readonly file: string } | { readonly chunks: AsyncIterable<Uint8Array> };

export interface TableOptions {
  readonly format: SourceFormat;
  /** Of CSV and TSV, instead of the comma or tab. */
  readonly delimiter?: string | undefined;
  /** Of CSV, TSV and NDJSON: a label of the Encoding Standard. */
  readonly encoding?: string | undefined;
  /** Of CSV and TSV: whether names of columns are trimmed and columns without a name have one by position. */
  readonly isTidied?: boolean;
  /** Of XLSX: name, or number from 1; default: the first. */
  readonly sheet?: string | number | undefined;
  /** Of JSON: dotted path of the list in the document. */
  readonly records?: string | undefined;
  /** Of JSON: what one record may have; the defaults if absent. */
  readonly limits?: JsonLimits | undefined;
  /** Called with the number of rows where the format knows it before. */
  readonly onTotal?: (rows: number) => void;
}

const bytesOf = (source: TableSource): AsyncIterable<Uint8Array> =>
  // Without an encoding, a stream returns buffers.
  'file' in source ? (createReadStream(source.file) as AsyncIterable<Uint8Array>) : source.chunks;

/** Formats that are read at several places at once need a file. */
export async function* inFile(
  source: TableSource,
  read: (file: string) => AsyncGenerator<TableRow>,
): AsyncGenerator<TableRow> {
  if ('file' in source) {
    yield* read(source.file);
    return;
  }
  const directory = await mkdtemp(path.join(tmpdir(), 'cairn-table-'));
  try {
    const file = path.join(directory, 'table');
    await pipeline(source.chunks, createWriteStream(file, { mode: 0o600 }));
    yield* read(file);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * The rows of a table, one after the other.
 * @throws TableFault for what cannot be read as this format; what reading the source throws
 */
export async function* readTable(source: TableSource, options: TableOptions): AsyncGenerator<TableRow> {
  const { format, encoding, delimiter, isTidied, sheet, onTotal } = options;
  switch (format) {
    case 'csv':
    case 'tsv': {
      const { readDelimited } = await import('./read-delimited.ts');
      yield* readDelimited(bytesOf(source), delimiter ?? (format === 'csv' ? ',' : '\t'), {
        encoding,
        isTidied,
        areQuotesLiteral: format === 'tsv',
      });
      return;
    }
    case 'xlsx': {
      const { readXlsx } = await import('./read-xlsx.ts');
      yield* inFile(source, (file) => readXlsx(file, sheet, onTotal));
      return;
    }
    case 'parquet': {
      const { readParquet } = await import('./read-parquet.ts');
      yield* inFile(source, (file) => readParquet(file, onTotal));
      return;
    }
    case 'json':
    case 'ndjson': {
      const { readJsonTable, readJsonLines } = await import('./read-json.ts');
      yield* format === 'json'
        ? readJsonTable(bytesOf(source), options)
        : readJsonLines(bytesOf(source), options);
      return;
    }
    default:
      format satisfies never;
  }
}
