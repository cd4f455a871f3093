// Parquet: values as JSON has them, and files that would unpack to more than there is memory.
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { assertModestPages } from './assert-modest-pages.ts';
import { read, contentOfRows } from './tables-testkit.ts';

describe('Parquet', () => {
  test('values are JSON values, instants have all their digits, and what would change fails its row', async () => {
    const bytes = parquetWriteBuffer({
      columnData: [
        { name: 'n', data: [1n, 9007199254740993n, 3n], type: 'INT64' },
        { name: 'x', data: [1.5, Number.NaN, Number.POSITIVE_INFINITY], type: 'DOUBLE' },
        { name: 'at', data: [new Date('2024-01-31T10:20:30.400Z'), null, null], type: 'TIMESTAMP' },
        { name: 'list', data: [{ a: [1] }, null, null], type: 'JSON' },
      ],
    });
    const rows = await read(new Uint8Array(bytes), 'parquet');
    expect(rows).toEqual([
      {
        line: 1,
        row: { n: 1, x: 1.5, at: '2024-01-31T10:20:30.4Z', list: { a: [1] } },
        jsonColumns: ['list'],
      },
      { line: 2, fault: 'the number 9007199254740993 cannot be stored exactly' },
      { line: 3, fault: 'the number Infinity cannot be stored' },
    ]);
    const large = parquetWriteBuffer({
      columnData: [{ name: 'n', data: [9007199254740994n, -100000000000000000n], type: 'INT64' }],
    });
    expect(contentOfRows(await read(new Uint8Array(large), 'parquet'))).toEqual([
      { n: 9007199254740994 },
      { n: -1e17 },
    ]);
    await expect(read('PAR1 nothing', 'parquet')).rejects.toThrow('cannot be read as Parquet');
  });

  test('texts and JSON are what their bytes say, and what would change fails its row', async () => {
    const made = parquetWriteBuffer({
      columnData: [
        { name: 'text', data: ['\ufeffa', 'a~', 'b', 'c'], type: 'STRING' },
        { name: 'any', data: ['5', 1, { a: 1111111111111111 }, '{{{{'], type: 'JSON' },
      ],
      codec: 'UNCOMPRESSED',
      statistics: false,
    });
    // what the writer does not write, byte for byte
    const file = Buffer.from(
      Buffer.from(made)
        .toString('latin1')
        .replaceAll('a~', 'a\xff')
        .replaceAll('1111111111111111', '9007199254740993')
        .replaceAll('"{{{{"', '{{{{{{'),
      'latin1',
    );
    expect(await read(new Uint8Array(file), 'parquet')).toEqual([
      { line: 1, row: { text: '\ufeffa', any: '5' }, jsonColumns: ['any'] },
      { line: 2, fault: 'a text is not valid UTF-8' },
      { line: 3, fault: expect.stringContaining('9007199254740993') },
      { line: 4, fault: expect.stringContaining('a cell of JSON is not valid JSON') },
    ]);
  });

  test('a file of some bytes that stands for millions of values is refused before they are made', async () => {
    // `hyparquet-writer` made it: in each of five columns, 17 million times true is three runs
    const runs =
      'UEFSMRUGFRwVIFwV/v//BxUAFf7//wcVBhUKFQAAAP7//wcBCSAFAAAA/v//BwEVBhUcFSBcFf7//wcVABX+//8HFQYVChUAAAD+//8HAQkgBQAAAP7//wcBFQYVGBUcXBWEmRsVABWEmRsVBhUIFQAAAISZGwEIHAQAAACEmRsBFQYVHBUgXBX+//8HFQAV/v//BxUGFQoVAAAA/v//BwEJIAUAAAD+//8HARUGFRwVIFwV/v//BxUAFf7//wcVBhUKFQAAAP7//wcBCSAFAAAA/v//BwEVBhUYFRxcFYSZGxUAFYSZGxUGFQgVAAAAhJkbAQgcBAAAAISZGwEVBhUcFSBcFf7//wcVABX+//8HFQYVChUAAAD+//8HAQkgBQAAAP7//wcBFQYVHBUgXBX+//8HFQAV/v//BxUGFQoVAAAA/v//BwEJIAUAAAD+//8HARUGFRgVHFwVhJkbFQAVhJkbFQYVCBUAAACEmRsBCBwEAAAAhJkbARUGFRwVIFwV/v//BxUAFf7//wcVBhUKFQAAAP7//wcBCSAFAAAA/v//BwEVBhUcFSBcFf7//wcVABX+//8HFQYVChUAAAD+//8HAQkgBQAAAP7//wcBFQYVGBUcXBWEmRsVABWEmRsVBhUIFQAAAISZGwEIHAQAAACEmRsBFQYVHBUgXBX+//8HFQAV/v//BxUGFQoVAAAA/v//BwEJIAUAAAD+//8HARUGFRwVIFwV/v//BxUAFf7//wcVBhUKFQAAAP7//wcBCSAFAAAA/v//BwEVBhUYFRxcFYSZGxUAFYSZGxUGFQgVAAAAhJkbAQgcBAAAAISZGwEZPBYIFVYWAAAWXhVWFv7//wcAFrQBFU4W/P//DwAAGTwWggIVVhYAABbYAhVWFv7//wcAFq4DFU4W/P//DwAAGTwW/AMVVhYAABbSBBVWFv7//wcAFqgFFU4W/P//DwAAGTwW9gUVVhYAABbMBhVWFv7//wcAFqIHFU4W/P//DwAAGTwW8AcVVhYAABbGCBVWFv7//wcAFpwJFU4W/P//DwAAFQQZbEgEcm9vdBUKABUAJQIYAWEAFQAlAhgBYgAVACUCGAFjABUAJQIYAWQAFQAlAhgBZQAWgJmbEBkcGVwmCBwVABkVBhkYAWEVAhaAmZsQFu4BFvoBJgg8NgAoAQEYAQEAGRwVBhUGFQYAABbqCRU+ACaCAhwVABkVBhkYAWIVAhaAmZsQFu4BFvoBJoICPDYAKAEBGAEBABkcFQYVBhUGAAAWqAoVQgAm/AMcFQAZFQYZGAFjFQIWgJmbEBbuARb6ASb8Azw2ACgBARgBAQAZHBUGFQYVBgAAFuoKFUIAJvYFHBUAGRUGGRgBZBUCFoCZmxAW7gEW+gEm9gU8NgAoAQEYAQEAGRwVBhUGFQYAABasCxVCACbwBxwVABkVBhkYAWUVAhaAmZsQFu4BFvoBJvAHPDYAKAEBGAEBABkcFQYVBhUGAAAW7gsVQgAWpgkWgJmbEDbiCQAoCWh5cGFycXVldBlcHAAAHAAAHAAAHAAAHAAAAHgBAABQQVIx';
    await expect(read(new Uint8Array(Buffer.from(runs, 'base64')), 'parquet')).rejects.toThrow(
      'unpack to more than 256 MiB, or 32000000 values',
    );
  });

  test('pages that unpack to more than memory should hold are refused, of those that are read', () => {
    const page = (from: number, bytes: number) => ({ from, to: from + 10, bytes, values: 10 });
    const pages = [page(0, 100_000_000), page(10, 200_000_000), page(10, 100_000_000)];
    expect(() => {
      assertModestPages(pages, 0, 10);
    }).not.toThrow();
    for (const [from, to] of [
      [10, 20],
      [5, 15],
    ] as const)
      expect(() => {
        assertModestPages(pages, from, to);
      }).toThrow('unpack to more than 256 MiB');
    expect(() => {
      assertModestPages([page(0, -1)], 0, 10);
    }).toThrow('unpack to more than 256 MiB');
  });

  test('a text of a dictionary that makes every row too long fails the rows', async () => {
    const data = Array.from({ length: 3 }, () => 'x'.repeat(11_000_000));
    const bytes = parquetWriteBuffer({ columnData: [{ name: 'text', data, type: 'STRING' }] });
    expect(await read(new Uint8Array(bytes), 'parquet')).toEqual(
      [1, 2, 3].map((line) => ({ line, fault: 'the row is longer than 10485760 bytes' })),
    );
  });

  test('row groups are read one after the other, in order', async () => {
    const data = Array.from({ length: 5000 }, (_, i) => `r${i}`);
    const bytes = parquetWriteBuffer({
      columnData: [{ name: 'id', data, type: 'STRING' }],
      rowGroupSize: 700,
    });
    expect(contentOfRows(await read(new Uint8Array(bytes), 'parquet', {}, 100_000))).toEqual(
      data.map((id) => ({ id })),
    );
  });
});
