// Reads tables in small pieces, for tests of their formats.
import { readTable, type SourceFormat, type TableOptions } from './read-table.ts';
import type { TableRow } from './table-row.ts';

/** Bytes in pieces of `size`, as from a slow network. */
export async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The rows of a table whose bytes come `size` at a time. */
export async function read(
  bytes: Uint8Array | string,
  format: SourceFormat,
  options: Partial<TableOptions> = {},
  size = 7,
): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  const chunks = inPieces(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, size);
  for await (const row of readTable({ chunks }, { format, isTidied: true, ...options })) rows.push(row);
  return rows;
}
/** What the rows hold, or why they hold nothing. */
export const contentOfRows = (rows: readonly TableRow[]): unknown[] =>
  rows.map((row) => ('row' in row ? row.row : row.fault));
