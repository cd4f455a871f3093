import { test as property, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { readDelimited } from './read-delimited.ts';
import type { TableRow } from './table-row.ts';

/** Splits the bytes into chunks at arbitrary positions. */
async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function rows(text: string, delimiter: ',' | '\t' = ',', size = 5): Promise<TableRow[]> {
  const all: TableRow[] = [];
  for await (const row of readDelimited(pieces(text, size), delimiter, {
    areQuotesLiteral: delimiter === '\t',
  }))
    all.push(row);
  return all;
}

const cellsOf = (row: TableRow): readonly string[] | string =>
  'row' in row ? Object.values(row.row as Record<string, string>) : row.fault;
const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'é', '\t'), maxLength: 6 });
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

property.prop([
  fc.array(fc.tuple(cell, cell, cell), { maxLength: 5 }),
  fc.integer({ min: 1, max: 9 }),
  fc.constantFrom(',' as const, '\t' as const),
  fc.constantFrom('\n', '\r\n', '\r'),
])(
  'what is written with quotes comes back cell by cell, however it is cut and whatever ends its lines',
  async (table, size, delimiter, end) => {
    const text = [['x', 'y', 'z'], ...table].map((row) => row.map(quoted).join(delimiter)).join(end);
    expect((await rows(text, delimiter, size)).map(cellsOf)).toEqual(table);
  },
);

property.prop([
  fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 20 }),
  fc.constantFrom('\n', '\r\n', '\r'),
  fc.boolean(),
])(
  'no record is lost, whatever ends the lines, and each says on which it begins',
  async (table, end, isEnded) => {
    const text = ['a,b', ...table.map((row) => row.join(','))].join(end) + (isEnded ? end : '');
    expect(await rows(text)).toEqual(
      table.map(([a, b], i) => ({
        line: i + 2,
        row: { a: String(a), b: String(b) },
      })),
    );
  },
);

test.each(['\n', '\r\n', '\r'])(
  'rows and faults carry the line on which they begin, whatever ends (%j) the lines within quotes before them',
  async (end) => {
    const text = ['a,b', '"x', 'y', 'z",1', '"p', 'q",2', '3', '', '4,5', '6,"7" x', '8,9'].join(end);
    expect((await rows(text)).map((row) => [row.line, 'row' in row])).toEqual([
      [2, true],
      [5, true],
      [7, false],
      [9, true],
      [10, false],
      [11, true],
    ]);
  },
);

test('rows carry the line on which they begin, also after empty lines and lines within quotes', async () => {
  expect((await rows('a,b\n"x\ny",1\n\nz,2\n')).map(({ line }) => line)).toEqual([2, 5]);
});

describe('a broken row is reported alone, with its line', () => {
  test.each([
    ['too many fields', 'a,b\n1,2\n3,4,5\n6,7\n', 3, 'the row has 3 fields, the header has 2'],
    ['a quote in the middle', 'a,b\n1,2\n"x" y,4\n6,7\n', 3, 'Invalid Closing Quote'],
    ['a quote that nothing ends, last', 'a,b\n1,2\n6,7\n"8,9', 4, 'a quoted field is not closed'],
  ])('%s', async (_, text, line, said) => {
    const read = await rows(text);
    expect(read.filter((row) => 'fault' in row)).toMatchObject([
      { line, fault: expect.stringContaining(said) },
    ]);
    expect(read.filter((row) => 'row' in row).map(cellsOf)).toEqual([
      ['1', '2'],
      ['6', '7'],
    ]);
  });

  test('in TSV quotes within a field are text; one that begins a field and nothing ends does not take the next rows along unseen', async () => {
    expect((await rows('a\tb\n5" x\t"q"\n', '\t')).map(cellsOf)).toEqual([['5" x', 'q']]);
    expect(await rows('a\tb\n"5\t2\n3\t"4\n6\t7\n', '\t')).toEqual([
      { line: null, fault: 'before line 4: a field begins with a quote that is not closed at its end' },
      { line: 4, row: { a: '6', b: '7' } },
    ]);
  });
});

test.each([
  ['a,a\n1,2\n', 'header', 'twice'],
  ['"a"x,b\n1,2\n', 'header', 'cannot be read'],
])('%j has no header to read by', async (text, kind, said) => {
  await expect(rows(text)).rejects.toMatchObject({
    name: 'TableFault',
    kind,
    message: expect.stringContaining(said),
  });
});

test('a column may have any name', async () => {
  const [row] = await rows('__proto__,constructor\n1,2\n');
  expect(row !== undefined && 'row' in row && Object.entries(row.row as object)).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
  ]);
});
