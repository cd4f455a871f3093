// Each format of a table, read back by a reader of its own.
import { inflateRawSync } from 'node:zlib';
import { tableFromIPC } from 'apache-arrow';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { formatByExtension } from '../platform/table-formats/formats.ts';
import { entityColumns } from './row-table.ts';

const FIELDS = [
  ['text', 'string'],
  ['whole', 'int'],
  ['part', 'float'],
  ['yes', 'bool'],
  ['day', 'date'],
  ['time', 'datetime'],
  ['kind', 'enum'],
  ['any', 'json'],
  ['version', 'string'],
].map(([name = '', type = '']) => ({ name, type, many: false }));
const COLUMNS = entityColumns([
  ...FIELDS,
  { name: 'tags', type: 'string', many: true },
  { name: 'times', type: 'datetime', many: true },
]);

const entity = (id: string, data: Record<string, unknown>): string =>
  JSON.stringify({
    id,
    entity_type: 'Thing',
    data,
    version: 3,
    created_at: '2026-01-31T09:30:00.123456Z',
    updated_at: '1969-12-31T23:59:59.999999Z',
    is_available: true,
  });
const FULL = {
  text: 'a "quoted", text\r\nof two lines',
  whole: 9_007_199_254_740_991,
  part: 0.1,
  yes: false,
  day: '2024-02-29',
  time: '2026-01-31T09:30:00.000001Z',
  kind: 'b',
  any: { deep: [1, 'é'] },
  version: '=1+1',
  tags: ['x', 'y,z'],
  times: ['2026-01-31T09:30:00.5Z'],
};
/** What today's schema does not have, and nothing at all. */
const ODD = { text: '', whole: 'seven', tags: 'none', time: 'soon', any: 'text' };
const ROWS = [[entity('one', FULL), entity('two', ODD)], [entity('three', {})]];

async function encoded(extension: string, rows: readonly (readonly string[])[] = ROWS): Promise<Buffer> {
  const format = formatByExtension(extension);
  if (!format) throw new Error(`no format ${extension}`);
  const pieces: Buffer[] = [];
  const blocks = (async function* () {
    for (const block of rows) yield await Promise.resolve(block);
  })();
  for await (const piece of format.encode(COLUMNS, blocks)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

const NAMES =
  'id entity_type version created_at updated_at is_available text whole part yes day time kind any data.version tags times'.split(
    ' ',
  );

test('CSV has a header, CRLF, exact values; an empty text is quoted, an absent value is not', async () => {
  const text = (await encoded('csv')).toString();
  const [header, one, two, three] = parse(text);
  expect(header).toEqual(NAMES);
  expect(one?.slice(6)).toEqual([
    FULL.text,
    '9007199254740991',
    '0.1',
    'false',
    '2024-02-29',
    FULL.time,
    'b',
    '{"deep":[1,"é"]}',
    '=1+1',
    '["x","y,z"]',
    '["2026-01-31T09:30:00.5Z"]',
  ]);
  expect(two?.slice(6, 8)).toEqual(['', 'seven']);
  expect(two?.[13]).toBe('"text"');
  expect(three?.slice(6)).toEqual(Array(11).fill(''));
  expect(text).toContain(
    'two,Thing,3,2026-01-31T09:30:00.123456Z,1969-12-31T23:59:59.999999Z,true,"",seven,,',
  );
  expect(text.endsWith('\r\n')).toBe(true);
  expect((await encoded('csv', [])).toString()).toBe(`${NAMES.join(',')}\r\n`);
});

test('NDJSON is the rows as they are', async () => {
  expect((await encoded('ndjson')).toString()).toBe(`${ROWS.flat().join('\n')}\n`);
  expect((await encoded('ndjson', [])).length).toBe(0);
});

test('Arrow has typed columns, instants to the microsecond, lists; what does not fit is null', async () => {
  const table = tableFromIPC(await encoded('arrow'));
  expect(table.schema.fields.map(({ name, type }) => `${name} ${String(type)}`)).toEqual([
    'id Utf8',
    'entity_type Utf8',
    'version Int64',
    'created_at Timestamp<MICROSECOND, UTC>',
    'updated_at Timestamp<MICROSECOND, UTC>',
    'is_available Bool',
    'text Utf8',
    'whole Int64',
    'part Float64',
    'yes Bool',
    'day Date32<DAY>',
    'time Timestamp<MICROSECOND, UTC>',
    'kind Utf8',
    'any Utf8',
    'data.version Utf8',
    'tags List<Utf8>',
    'times List<Timestamp<MICROSECOND, UTC>>',
  ]);
  const raw = (name: string): unknown[] => Array.from(table.getChild(name)?.data[0]?.values as BigInt64Array);
  expect(raw('created_at')[0]).toBe(1_769_851_800_123_456n);
  expect(raw('updated_at')[0]).toBe(-1n);
  expect(raw('time')[0]).toBe(1_769_851_800_000_001n);
  const at = (name: string): unknown[] => Array.from(table.getChild(name) ?? []);
  expect(at('whole')).toEqual([9_007_199_254_740_991n, null, null]);
  expect(at('day').map((day) => (day === null ? null : Number(day)))).toEqual([
    Date.UTC(2024, 1, 29),
    null,
    null,
  ]);
  expect(at('any')).toEqual(['{"deep":[1,"é"]}', '"text"', null]);
  expect(at('tags').map((list) => (list === null ? null : Array.from(list as Iterable<string>)))).toEqual([
    ['x', 'y,z'],
    null,
    null,
  ]);
  expect([at('yes'), at('text')]).toEqual([
    [false, null, null],
    [FULL.text, '', null],
  ]);
  expect(tableFromIPC(await encoded('arrow', [])).schema.fields).toHaveLength(17);
});

test('Parquet has typed columns, and lists as lists', async () => {
  const read = async (bytes: Buffer) =>
    parquetReadObjects({ file: new Uint8Array(bytes).buffer, rowFormat: 'object' } as never) as Promise<
      Record<string, unknown>[]
    >;
  const [one, two, three] = await read(await encoded('parquet'));
  expect(one).toMatchObject({
    id: 'one',
    version: 3n,
    is_available: true,
    text: FULL.text,
    whole: 9_007_199_254_740_991n,
    part: 0.1,
    yes: false,
    day: new Date('2024-02-29'),
    any: { deep: [1, 'é'] },
    'data.version': '=1+1',
    tags: ['x', 'y,z'],
  });
  expect((one?.['created_at'] as Date).toISOString()).toBe('2026-01-31T09:30:00.123Z');
  expect(two).toMatchObject({ text: '', any: 'text' });
  expect(
    [two?.['whole'], two?.['tags'], two?.['time'], three?.['any']].map((value) => value ?? null),
  ).toEqual([null, null, null, null]);
  expect(await read(await encoded('parquet', []))).toEqual([]);
});

/** The files of a ZIP archive, by its central directory. */
function unzipped(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [size, nameLength] = [archive.readUInt32LE(at + 20), archive.readUInt16LE(at + 28)];
    const local = archive.readUInt32LE(at + 42);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    files.set(name, inflateRawSync(archive.subarray(start, start + size)).toString());
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}

test('XLSX has typed cells: numbers, booleans, and texts that are never formulas', async () => {
  const files = unzipped(
    await encoded('xlsx', [
      [
        entity('c', { text: ' a\u0001<b> _x0041_', version: '=1+1', part: 1.5, yes: true }),
        entity('l', { text: 'x'.repeat(40_000) }),
      ],
    ]),
  );
  expect([...files.keys()].sort()).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
  ]);
  const sheet = files.get('xl/worksheets/sheet1.xml') ?? '';
  expect(sheet).toContain('<c r="G1" t="inlineStr"><is><t>text</t></is></c>');
  expect(sheet).toContain(
    '<c r="G2" t="inlineStr"><is><t xml:space="preserve"> a_x0001_&lt;b&gt; _x005F_x0041_</t></is></c>',
  );
  expect(sheet).toContain('<c r="I2"><v>1.5</v></c><c r="J2" t="b"><v>1</v></c>');
  expect(sheet).toContain('<c r="O2" t="inlineStr"><is><t>=1+1</t></is></c>');
  expect(sheet).toContain('… (cut: 40000 characters)</t>');
  expect(sheet.endsWith('</row></sheetData></worksheet>')).toBe(true);
  expect((await encoded('xlsx', [])).length).toBeGreaterThan(500);
});

test('rows that fail end the file with their error, in every format', async () => {
  for (const extension of ['csv', 'ndjson', 'arrow', 'parquet', 'xlsx']) {
    const format = formatByExtension(extension);
    const failing = (async function* () {
      yield await Promise.resolve([entity('a', {})]);
      throw new Error('lost');
    })();
    const read = async (): Promise<void> => {
      for await (const _ of format?.encode(COLUMNS, failing) ?? []);
    };
    await expect(read(), extension).rejects.toThrow('lost');
  }
});
