// Records of files and of addresses that answer one, by the reader of tables that all of Cairn shares.
import type { JsonLimits } from '../../../platform/json-shape.ts';
import { readApart } from '../../../platform/tables/read-apart.ts';
import { inFile, readTable, type TableOptions } from '../../../platform/tables/read-table.ts';
import { TableFault, type TableRow } from '../../../platform/tables/table-row.ts';
import { AdapterFetchError, type AdapterRecord, messageOf, type ReadRecords } from './adapter.ts';
import { openSource, type SourceSettings } from './open-source.ts';

const FORMATS = {
  csv: 'csv',
  tsv: 'tsv',
  xlsx: 'xlsx',
  json: 'json',
  jsonl: 'ndjson',
  parquet: 'parquet',
} as const;

/** Types of adapters that read a file. */
type FileType = keyof typeof FORMATS;

/** Formats without lines of their own, and one whose faults name none. */
const at = (line: number | null, type: FileType): string => {
  if (line === null || type === 'json' || type === 'jsonl') return '';
  return `${type === 'csv' || type === 'tsv' ? 'line' : 'row'} ${line}: `;
};

/** Formats of which a source could hold up all others while it is parsed. */
const isReadWhole = (format: TableOptions['format']): boolean => format === 'xlsx' || format === 'parquet';

/** A row of a table as a record. */
export const recordOf = (row: TableRow, type: FileType): AdapterRecord =>
  'fault' in row ? { fault: `${at(row.line, type)}${row.fault}` } : { row: row.row };

/** The fault of a table that cannot be read, as the adapter's. */
export function fetchError(error: unknown): AdapterFetchError {
  if (error instanceof AdapterFetchError) return error;
  const what =
    error instanceof TableFault && error.kind === 'content'
      ? `the source ${error.message}`
      : `the source could not be read: ${messageOf(error)}`;
  return new AdapterFetchError(what, { cause: error });
}

export function fileReader(
  settings: SourceSettings & {
    readonly type: FileType;
    readonly records?: TableOptions['records'];
    readonly sheet?: TableOptions['sheet'];
  },
  limits: JsonLimits,
): ReadRecords {
  const { type, records, sheet } = settings;
  const options = {
    format: FORMATS[type],
    sheet,
    limits,
    ...(type === 'json' ? { records: records ?? '' } : {}),
  };
  return async function* (pull): AsyncGenerator<AdapterRecord> {
    try {
      const source = { chunks: openSource(settings, pull) };
      const rows = isReadWhole(options.format)
        ? inFile(source, (file) => readApart(file, options, pull))
        : readTable(source, options);
      for await (const row of rows) yield recordOf(row, type);
    } catch (error) {
      if (pull.signal.aborted) throw error;
      throw fetchError(error);
    }
  };
}
