// Refuses Parquet whose pages unpack to more than memory should hold, before they are unpacked: a page of some bytes may
// stand for gigabytes, by compression, by a dictionary, or by runs of one value.
import type { AsyncBuffer, ColumnChunk, RowGroup } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { TableFault } from './table-row.ts';

/** What may be in memory of one read: bytes of unpacked pages, and values of all columns. */
const MAX_UNPACKED = 256 * 1024 * 1024;
const MAX_VALUES = 32_000_000;

interface Page {
  /** Its rows: all of the group where they are not known, because one of them may have any number of values. */
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  readonly values: number;
}

/** The pages of a row group. Headers are looked at once for all reads of its rows. */
export type ParquetPages = readonly Page[];

/** @throws Error for what is no header */
async function* pagesOf(
  file: AsyncBuffer,
  { meta_data: column }: ColumnChunk,
  rows: number,
): AsyncGenerator<Page> {
  if (column === undefined) return;
  const { path_in_schema: path, total_compressed_size: size, data_page_offset: data } = column;
  const start = Number(column.dictionary_page_offset ?? data);
  const view = new DataView(await file.slice(start, start + Number(size)));
  const reader = { view, offset: 0 };
  const isFlat = path.length === 1; // of a list or group, the path has more names
  for (let row = 0; reader.offset < view.byteLength - 1;) {
    const {
      data_page_header: v1,
      data_page_header_v2: v2,
      dictionary_page_header: dictionary,
      ...page
    } = parquetHeader(reader);
    const values = v1?.num_values ?? v2?.num_values ?? dictionary?.num_values ?? 0;
    const ownRows = v2?.num_rows ?? v1?.num_values ?? 0;
    const isOfRows = isFlat && dictionary === undefined;
    yield {
      from: isOfRows ? row : 0,
      to: isOfRows ? row + ownRows : rows,
      bytes: Number(page.uncompressed_page_size),
      values,
    };
    row += ownRows;
    if (!(page.compressed_page_size >= 0)) throw new Error('a page has no length');
    reader.offset += page.compressed_page_size;
  }
}

/** @throws Error for what is no Parquet */
export async function pagesIn(
  file: AsyncBuffer,
  { columns, num_rows: rows }: RowGroup,
): Promise<ParquetPages> {
  const pages: Page[] = [];
  for (const column of columns)
    for await (const page of pagesOf(file, column, Number(rows))) pages.push(page);
  return pages;
}

/**
 * For reading rows of the group, from 0.
 * @throws TableFault
 */
export function assertModestPages(pages: ParquetPages, from: number, to: number): void {
  let [bytes, values] = [0, 0];
  for (const page of pages) {
    if (page.to <= from || page.from >= to) continue;
    bytes += page.bytes;
    values += page.values;
    // also what is negative, or no number
    if (!(page.bytes >= 0 && bytes <= MAX_UNPACKED && page.values >= 0 && values <= MAX_VALUES))
      throw new TableFault(
        'content',
        `has ${to - from} rows that unpack to more than ${MAX_UNPACKED / 1024 / 1024} MiB, or ${MAX_VALUES} values: write it with smaller pages`,
      );
  }
}
