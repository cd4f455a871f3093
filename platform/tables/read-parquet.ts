// Reads Parquet files by row groups, so that a file need not fit in memory.
import { open, type FileHandle } from 'node:fs/promises';
import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { DomainError } from '../errors.ts';
import { parseJson } from '../json.ts';
import { assertModestPages, pagesIn } from './assert-modest-pages.ts';
import { NotPlain, notTooLong, plainValue } from './plain-value.ts';
import { TableFault, type TableRow } from './table-row.ts';

/** Rows of one read; a larger row group is read in parts. */
const MAX_ROWS = 50_000;
const DAY_MS = 86_400_000;

async function bufferOf(file: FileHandle): Promise<AsyncBuffer> {
  const { size } = await file.stat();
  return {
    byteLength: size,
    async slice(start, end = size) {
      const bytes = Buffer.alloc(Math.max(0, Math.min(end, size) - start)); // what a file says of itself may be wrong
      const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
      return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytesRead);
    },
  };
}

const instant = (ms: number, digits: bigint, unit: number): string => {
  const fraction = digits === 0n ? '' : String(digits).padStart(unit, '0').replace(/0+$/, '');
  const text = new Date(ms).toISOString();
  return `${text.slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}Z`;
};

/** The second and the digits after it, for a number of units since 1970. */
function timeOf(value: bigint, digits: number): string {
  const unit = 10n ** BigInt(digits);
  const rest = ((value % unit) + unit) % unit;
  return instant(Number((value - rest) / unit) * 1000, rest, digits);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(bytes: Uint8Array | undefined): string | NotPlain | undefined {
  try {
    return bytes && UTF8.decode(bytes);
  } catch {
    return new NotPlain('a text is not valid UTF-8');
  }
}

function jsonOf(bytes: Uint8Array | undefined): unknown {
  const text = textOf(bytes);
  if (typeof text !== 'string') return text;
  try {
    return parseJson(text, 'a cell of JSON');
  } catch (cause) {
    if (cause instanceof DomainError) return new NotPlain(cause.message);
    throw cause;
  }
}

/**
 * Times as text, with all their digits: a `Date` has milliseconds only. Texts and JSON as they are: nothing in them
 * changes silently, and what cannot be read fails its row.
 */
const PARSERS = {
  stringFromBytes: textOf,
  jsonFromBytes: jsonOf,
  dateFromDays: (days: number) => new Date(days * DAY_MS).toISOString().slice(0, 10),
  timestampFromMilliseconds: (value: bigint) => timeOf(value, 3),
  timestampFromMicroseconds: (value: bigint) => timeOf(value, 6),
  timestampFromNanoseconds: (value: bigint) => timeOf(value, 9),
};

interface Columns {
  readonly names: readonly string[];
  /** Those that the file itself declares as JSON. */
  readonly json: readonly string[];
}

function columnsOf(metadata: FileMetaData): Columns {
  const elements = parquetSchema(metadata).children.map(({ element }) => element);
  const json = elements.filter((one) => one.converted_type === 'JSON');
  return { names: elements.map(({ name }) => name), json: json.map(({ name }) => name) };
}

function rowOf(line: number, cells: readonly unknown[], { names, json }: Columns): TableRow {
  try {
    const row = Object.fromEntries(names.map((name, i) => [name, plainValue(cells[i])]));
    const plain = notTooLong(line, row);
    return json.length === 0 || 'fault' in plain ? plain : { ...plain, jsonColumns: json };
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
    return { line, fault: error.message };
  }
}

/** Rows as lists: in hyparquet's objects a column `__proto__` is lost. */
async function part(
  file: AsyncBuffer,
  metadata: FileMetaData,
  names: readonly string[],
  [rowStart, rowEnd]: readonly [number, number],
): Promise<readonly (readonly unknown[])[]> {
  return new Promise((resolve, reject) => {
    parquetRead({
      file,
      metadata,
      compressors,
      parsers: PARSERS,
      useOffsetIndex: true,
      columns: [...names],
      rowFormat: 'array',
      rowStart,
      rowEnd,
      onComplete: resolve,
    }).catch(reject);
  });
}

const unreadable = (cause: unknown): TableFault =>
  new TableFault(
    'content',
    `cannot be read as Parquet: ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  );

/** All rows, counted from 1. Absent values and NaN are null. @throws TableFault */
export async function* readParquet(
  path: string,
  onTotal: (rows: number) => void = () => undefined,
): AsyncGenerator<TableRow> {
  const handle = await open(path);
  try {
    const file = await bufferOf(handle);
    const metadata = await parquetMetadataAsync(file, { parsers: PARSERS }).catch((cause: unknown) => {
      throw unreadable(cause);
    });
    onTotal(Number(metadata.num_rows));
    const columns = columnsOf(metadata);
    let line = 0;
    for (const group of metadata.row_groups) {
      const start = line;
      const end = line + Number(group.num_rows);
      const pages = await pagesIn(file, group).catch((cause: unknown) => {
        throw unreadable(cause);
      });
      while (line < end) {
        const to = Math.min(end, line + MAX_ROWS);
        assertModestPages(pages, line - start, to - start);
        const rows = await part(file, metadata, columns.names, [line, to]).catch((cause: unknown) => {
          throw unreadable(cause);
        });
        if (rows.length === 0) throw unreadable('a row group has fewer rows than it says');
        for (const row of rows) yield rowOf(++line, row, columns);
      }
    }
  } finally {
    await handle.close();
  }
}
