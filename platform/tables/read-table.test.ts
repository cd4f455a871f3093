// One reader for all formats: the same table in each of them, and what spreadsheets and exports do to tables.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { formatOf, readTable, type SourceFormat } from './read-table.ts';
import type { TableRow } from './table-row.ts';
import { inPieces, read, contentOfRows } from './tables-testkit.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'cairn-read-table-'));
afterAll(() => rmSync(directory, { recursive: true }));

type Cell = string | number | boolean | { readonly date: number; readonly style: 1 | 2 | 3 } | null;

const cellXml = (cell: Cell, at: string): string => {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === 'object') return `<c r="${at}" s="${cell.style}"><v>${cell.date}</v></c>`;
  return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${cell}</t></is></c>`;
};

async function zipped(files: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(bytes, name);
  zip.end();
  return buffer(zip.outputStream);
}

/** A workbook as small as the format allows: style 1 is a day, 2 a time, 3 a time of day. */
function workbook(sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>): Promise<Buffer> {
  const names = Object.keys(sheets);
  const xml = (text: string): Buffer => Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const rels = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packaged = 'http://schemas.openxmlformats.org/package/2006/relationships';
  return zipped({
    '[Content_Types].xml': xml(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    ),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${main}" xmlns:r="${rels}"><sheets>${names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships xmlns="${packaged}">${names.map((_, i) => `<Relationship Id="rId${i + 1}" Type="${rels}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`).join('')}<Relationship Id="rIdS" Type="${rels}/styles" Target="styles.xml"/></Relationships>`,
    ),
    'xl/styles.xml': xml(
      `<styleSheet xmlns="${main}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="22" applyNumberFormat="1"/><xf numFmtId="21" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ),
    ...Object.fromEntries(
      Object.values(sheets).map((rows, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        xml(
          `<worksheet xmlns="${main}"><sheetData>${rows.map((row, r) => `<row r="${r + 1}">${row.map((cell, c) => cellXml(cell, `${String.fromCharCode(65 + c)}${r + 1}`)).join('')}</row>`).join('')}</sheetData></worksheet>`,
        ),
      ]),
    ),
  });
}

const TABLE = [
  { id: 'a', note: 'x, "y"' },
  { id: 'b', note: 'ü' },
];

test('the same table is the same rows in every format', async () => {
  const parquet = parquetWriteBuffer({
    columnData: [
      { name: 'id', data: TABLE.map(({ id }) => id), type: 'STRING' },
      { name: 'note', data: TABLE.map(({ note }) => note), type: 'STRING' },
    ],
  });
  const files: Readonly<Record<SourceFormat, Uint8Array | string>> = {
    csv: 'id,note\r\na,"x, ""y"""\r\nb,ü\r\n',
    tsv: 'id\tnote\na\tx, "y"\nb\tü\n',
    json: JSON.stringify(TABLE),
    ndjson: TABLE.map((row) => JSON.stringify(row)).join('\n'),
    xlsx: await workbook({
      One: [['id', 'note'], ...TABLE.map(({ id, note }) => [id, note.replaceAll('"', '&quot;')])],
    }),
    parquet: new Uint8Array(parquet),
  };
  for (const [format, bytes] of Object.entries(files) as [SourceFormat, Uint8Array | string][]) {
    expect([format, contentOfRows(await read(bytes, format))]).toEqual([format, TABLE]);
    const file = path.join(directory, `table.${format}`);
    writeFileSync(file, bytes);
    const rows: TableRow[] = [];
    for await (const row of readTable({ file }, { format: formatOf(file) ?? 'csv' })) rows.push(row);
    expect([format, contentOfRows(rows)]).toEqual([format, TABLE]);
  }
  expect(['x.JSONL', 'x.tab', 'x.txt', 'x.unknown', 'x'].map(formatOf)).toEqual([
    'ndjson',
    'tsv',
    'tsv',
    undefined,
    undefined,
  ]);
});

describe('text', () => {
  const text = 'id,note\r\nu,ä漢\r\n';
  const utf16be = Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
  test.each([
    ['UTF-8', Buffer.from(text), undefined],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`), undefined],
    ['UTF-16, little endian', Buffer.from(`\uFEFF${text}`, 'utf16le'), undefined],
    ['UTF-16, big endian', utf16be, undefined],
    ['a named encoding', Buffer.from(text, 'utf16le'), 'utf-16le'],
  ])('in %s, cut anywhere', async (_, bytes, encoding) => {
    for (const size of [1, 2, 5, 1000])
      expect(contentOfRows(await read(bytes, 'csv', { encoding }, size))).toEqual([{ id: 'u', note: 'ä漢' }]);
  });

  test('that is not in its encoding is a fault, never replaced', async () => {
    const latin = Buffer.from('id,note\nx,é\n', 'latin1');
    await expect(read(latin, 'csv')).rejects.toMatchObject({
      name: 'TableFault',
      message: 'is not valid UTF-8',
    });
    await expect(read(latin, 'ndjson')).rejects.toThrow('is not valid UTF-8');
    expect(contentOfRows(await read(latin, 'csv', { encoding: 'windows-1252' }))).toEqual([
      { id: 'x', note: 'é' },
    ]);
    await expect(read(latin, 'csv', { encoding: 'nonsense' })).rejects.toThrow('unknown encoding: nonsense');
  });
});

test('columns are tidied: trimmed, by position without a name, and not twice', async () => {
  expect(contentOfRows(await read(' id , Sample name,,\na,b,,c\n', 'csv'))).toEqual([
    { id: 'a', 'Sample name': 'b', 'column 3': '', 'column 4': 'c' },
  ]);
  await expect(read('a, a\n', 'csv')).rejects.toThrow('twice');
  expect(contentOfRows(await read('a, a\n1,2\n', 'csv', { isTidied: false }))).toEqual([
    { a: '1', ' a': '2' },
  ]);
  const wide = Array.from({ length: 500 }, (_, i) => `c${i}`);
  const [row] = contentOfRows(await read(`${wide.join(',')}\n${wide.join(',')}\n`, 'csv', {}, 1000));
  expect(row).toEqual(Object.fromEntries(wide.map((name) => [name, name])));
});

test('delimiters at the end of a line are no fields; fields too many or too few are a fault with the fields', async () => {
  expect(await read('a,b\n1,2,,\n1,2,3\n1\n', 'csv')).toEqual([
    { line: 2, row: { a: '1', b: '2' } },
    { line: 3, fault: 'the row has 3 fields, the header has 2', fields: ['1', '2', '3'] },
    { line: 4, fault: 'the row has 1 fields, the header has 2', fields: ['1'] },
  ]);
});

describe('XLSX', () => {
  const book = workbook({
    First: [['a']],
    Donors: [
      [],
      ['id', 'age', 'born', 'seen', 'at', 'code', 'dead', null],
      [
        'd1',
        42,
        { date: 45_322, style: 1 },
        { date: 45_322.5, style: 2 },
        { date: 0.25, style: 3 },
        '007',
        true,
      ],
      [],
      [' d2 ', 1.5, null, null, null, null, false, 'stray'],
    ],
  });

  test('cells keep their types, dates are text, and rows have the numbers of the sheet', async () => {
    let total: number | undefined;
    const rows = await read(await book, 'xlsx', { sheet: 'Donors', onTotal: (count) => (total = count) });
    expect(rows).toEqual([
      {
        line: 3,
        row: {
          id: 'd1',
          age: 42,
          born: '2024-01-31',
          seen: '2024-01-31T12:00:00.000Z',
          at: '06:00:00',
          code: '007',
          dead: true,
          'column 8': null,
        },
      },
      {
        line: 5,
        row: {
          id: ' d2 ',
          age: 1.5,
          born: null,
          seen: null,
          at: null,
          code: null,
          dead: false,
          'column 8': 'stray',
        },
      },
    ]);
    expect(total).toBe(3);
    expect(await read(await book, 'xlsx', { sheet: 2 })).toEqual(rows);
  });

  test('a sheet that is not there, and a file that is no workbook, are faults', async () => {
    await expect(read(await book, 'xlsx', { sheet: 'Donor' })).rejects.toThrow(
      /Sheet not found: Donor\. Available sheets: First, Donors/,
    );
    await expect(read('id,note\n', 'xlsx')).rejects.toThrow('cannot be read as an XLSX workbook');
  });

  test('a small archive that holds more than memory should is refused, said openly or not', async () => {
    const bomb = await zipped({ 'xl/worksheets/sheet1.xml': Buffer.alloc(100 * 1024 * 1024, ' ') });
    expect(bomb.length).toBeLessThan(200_000);
    await expect(read(bomb, 'xlsx', {}, 10_000)).rejects.toThrow('unpacks to more than 64 MiB');
    // empty entries make no room for it
    const empty = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${i}`, Buffer.alloc(0)]));
    const whole = await zipped(empty);
    const end = whole.length - 22; // the record that says where the directory begins
    const begin = whole.readUInt32LE(end + 16);
    const unlisted = Buffer.concat([whole.subarray(0, begin), bomb, whole.subarray(begin)]);
    unlisted.writeUInt32LE(begin + bomb.length, end + bomb.length + 16);
    await expect(read(unlisted, 'xlsx', {}, 10_000)).rejects.toThrow(
      'content that is not in the directory of its archive',
    );
  });
});

describe('JSON', () => {
  test('a document is its list, the list at a path, or one record', async () => {
    expect(await read('[{"a":1},\n {"a":2}]', 'json')).toEqual([
      { line: 1, row: { a: 1 } },
      { line: 2, row: { a: 2 } },
    ]);
    expect(contentOfRows(await read('{"x":{"y":[{"a":1}]}}', 'json', { records: 'x.y' }))).toEqual([
      { a: 1 },
    ]);
    expect(contentOfRows(await read('\uFEFF {"a":1}', 'json'))).toEqual([{ a: 1 }]);
    expect(await read(' \n', 'json')).toEqual([]);
    for (const text of ['[{"a":1},', '[1] 2', 'id,name'])
      await expect(read(text, 'json')).rejects.toThrow('is not valid');
    await expect(read('{"x":1}', 'json', { records: 'y' })).rejects.toThrow('has no list of records at y');
  });

  test('a number that a double holds is that number, however large; lines and documents agree', async () => {
    const numbers = [
      '100000000000000000000',
      '-9007199254740994',
      '123456789012345680000.0',
      '9007199254740992',
    ];
    for (const format of ['json', 'ndjson'] as const)
      expect(
        contentOfRows(
          await read(
            format === 'json'
              ? `[${numbers.map((n) => `{"n":${n}}`).join()}]`
              : numbers.map((n) => `{"n":${n}}`).join('\n'),
            format,
          ),
        ),
      ).toEqual(numbers.map((n) => ({ n: Number(n) })));
  });

  test('lines and elements fail alone, as strictly as the API reads them', async () => {
    expect(await read('{"a":1}\r\n\nno\n{"n":9007199254740993}\n', 'ndjson')).toEqual([
      { line: 1, row: { a: 1 } },
      { line: 3, fault: expect.stringContaining('the line is not valid JSON') },
      { line: 4, fault: expect.stringContaining('9007199254740993') },
    ]);
    expect(contentOfRows(await read('[{"a":1},{"a":},{"a":3}]', 'json'))).toEqual([
      { a: 1 },
      expect.stringContaining('the record is not valid JSON'),
      { a: 3 },
    ]);
  });
});

test('what cannot be read forwards is kept in a file of this account, which is gone afterwards', async () => {
  const kept = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('cairn-table-'));
  const before = new Set(kept());
  const bytes = new Uint8Array(await readFile(path.join(directory, 'table.xlsx')));
  const rows = readTable({ chunks: inPieces(bytes, 100) }, { format: 'xlsx' });
  await rows.next();
  await rows.return(undefined);
  expect(kept().filter((name) => !before.has(name))).toEqual([]);
});
