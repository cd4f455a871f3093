// Workbooks that are small files, and take more memory or time than a reader should have.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { readApart } from './read-apart.ts';
import type { TableRow } from './table-row.ts';

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-apart-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** A workbook of one sheet, whose cells of type `s` have the shared text. */
async function workbook(name: string, sheet: string, shared = ''): Promise<string> {
  const zip = new ZipFile();
  const add = (entry: string, text: string): void => {
    zip.addBuffer(Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`), entry);
  };
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
  add('[Content_Types].xml', '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>');
  add(
    'xl/workbook.xml',
    `<workbook ${MAIN} xmlns:r="${RELATIONS}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
  );
  add(
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation('r1', 'worksheet', 'worksheets/sheet1.xml')}${relation('r2', 'sharedStrings', 'sharedStrings.xml')}${relation('r3', 'styles', 'styles.xml')}</Relationships>`,
  );
  add('xl/styles.xml', `<styleSheet ${MAIN}><cellXfs><xf numFmtId="0"/></cellXfs></styleSheet>`);
  add('xl/sharedStrings.xml', `<sst ${MAIN}><si><t>${shared}</t></si></sst>`);
  add('xl/worksheets/sheet1.xml', `<worksheet ${MAIN}><sheetData>${sheet}</sheetData></worksheet>`);
  zip.end();
  const bytes = await buffer(zip.outputStream);
  expect(bytes.length).toBeLessThan(1_000_000);
  const file = path.join(directory, name);
  await writeFile(file, bytes);
  return file;
}

const column = (i: number): string =>
  (i < 26 ? '' : String.fromCharCode(64 + Math.floor(i / 26))) + String.fromCharCode(65 + (i % 26));
const textCells = (row: number, count: number, cell: (name: string, i: number) => string): string =>
  `<row r="${row}">${Array.from({ length: count }, (_, i) => cell(`${column(i)}${row}`, i)).join('')}</row>`;
const named = (count: number): string =>
  textCells(1, count, (name, i) => `<c r="${name}" t="inlineStr"><is><t>c${i}</t></is></c>`);
const cellOne = (name: string): string => `<c r="${name}" t="inlineStr"><is><t>1</t></is></c>`;
/** Seconds of work: a cell without a value in each of very many rows. */
const EMPTY_ROWS = Array.from(
  { length: 150_000 },
  (_, i) => `<row r="${i + 1}"><c r="A${i + 1}"/></row>`,
).join('');

async function rowsOf(
  file: string,
  bounds: { signal?: AbortSignal; maxSeconds?: number } = {},
): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  const signal = new AbortController().signal;
  for await (const row of readApart(file, { format: 'xlsx' }, { signal, ...bounds })) rows.push(row);
  return rows;
}

test('a text that many cells share is read; a row of more than ten million characters is not', async () => {
  const cells = textCells(2, 9, (name) => `<c r="${name}" t="s"><v>0</v></c>`);
  const rows = await rowsOf(await workbook('nine.xlsx', named(9) + cells, 'y'.repeat(1_000_000)));
  expect(rows).toMatchObject([{ line: 2, row: { c8: expect.stringMatching(/^y{10}/) } }]);
  const more = textCells(2, 600, (name) => `<c r="${name}" t="s"><v>0</v></c>`);
  const before = process.memoryUsage.rss();
  const file = await workbook(
    'shared.xlsx',
    named(600) + more + textCells(3, 1, cellOne),
    'y'.repeat(1_000_000),
  );
  const seen = await rowsOf(file);
  expect(seen.map((row) => ('fault' in row ? row.fault : row.line))).toEqual([
    'the row is longer than 10485760 bytes',
    3,
  ]);
  expect(process.memoryUsage.rss() - before).toBeLessThan(500_000_000);
});

test('a cell in the last corner of a sheet does not take the memory of all before it', async () => {
  const corner = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>';
  await expect(rowsOf(await workbook('corner.xlsx', named(2) + corner))).rejects.toThrow(
    'takes too much memory to be read',
  );
});

test('a workbook that takes too long is given up, and one whose reader leaves at once', async () => {
  const file = await workbook('long.xlsx', EMPTY_ROWS);
  await expect(rowsOf(file, { maxSeconds: 0.5 })).rejects.toThrow('takes too long to be read');
  const leaving = new AbortController();
  const read = rowsOf(file, { signal: leaving.signal });
  setTimeout(() => {
    leaving.abort(new Error('the reader has left'));
  }, 300);
  await expect(read).rejects.toThrow('the reader has left');
});
