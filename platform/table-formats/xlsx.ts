// Office Open XML workbooks: a ZIP archive of a few parts, of which the sheets are streamed. Texts are typed
// cells, so nothing is taken for a formula.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { type RowTexts, type TableColumn, type TableFormat, cellText, valuesOf } from './table.ts';

/** Most rows of a sheet, the header included, and most characters of a cell, as the format allows them. */
const SHEET_ROWS = 1_048_576;
const CELL_CHARACTERS = 32_767;

/** Compression takes most of the time of a sheet: this level takes a third of the usual one's. */
const FAST = 1;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PART = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Characters that XML cannot hold are written by their codes, as the format has it (ECMA-376, ST_Xstring). */
// oxlint-disable-next-line no-control-regex -- control characters are what is replaced
const UNFIT = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const SPECIAL = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff_&<>]/;
const escaped = (text: string): string => (SPECIAL.test(text) ? replaced(text) : text);
const replaced = (text: string): string =>
  text
    .replace(UNFIT, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** Blanks that readers of XML may take away. */
const BLANK = /^\s|\s$|[\t\n\r]|\s\s/;

/** A text that no cell can hold is cut off, and says so. */
const fitting = (text: string): string =>
  text.length <= CELL_CHARACTERS
    ? text
    : `${text.slice(0, CELL_CHARACTERS - 40)}… (cut: ${text.length} characters)`;

/** A, B, … Z, AA, … */
function letters(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest === 0 ? '' : letters(rest - 1)) + String.fromCharCode(65 + (index % 26));
}

function cell(place: string, column: TableColumn, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (!column.many && typeof value === 'number' && column.kind !== 'json')
    return `<c r="${place}"><v>${value}</v></c>`;
  if (!column.many && typeof value === 'boolean' && column.kind !== 'json')
    return `<c r="${place}" t="b"><v>${value ? 1 : 0}</v></c>`;
  const text = fitting(cellText(column, value) ?? '');
  const begin = BLANK.test(text) ? '<t xml:space="preserve">' : '<t>';
  return `<c r="${place}" t="inlineStr"><is>${begin}${escaped(text)}</t></is></c>`;
}

/** The rows of a table, one by one, over all sheets. */
class Rows {
  readonly #blocks: AsyncIterator<RowTexts>;
  readonly #columns: readonly TableColumn[];
  #values: unknown[][] = [];

  constructor(columns: readonly TableColumn[], blocks: AsyncIterable<RowTexts>) {
    this.#columns = columns;
    this.#blocks = blocks[Symbol.asyncIterator]();
  }

  /** At most so many of the next ones; none at the end. */
  async next(most: number): Promise<unknown[][]> {
    while (this.#values.length === 0) {
      const step = await this.#blocks.next();
      if (step.done === true) return [];
      this.#values = valuesOf(this.#columns, step.value);
    }
    return this.#values.splice(0, most);
  }

  async isEnd(): Promise<boolean> {
    const first = await this.next(1);
    this.#values.unshift(...first);
    return first.length === 0;
  }

  async leave(): Promise<void> {
    await this.#blocks.return?.();
  }
}

async function* sheet(columns: readonly TableColumn[], rows: Rows): AsyncGenerator<string, void, undefined> {
  const places = columns.map((_, i) => letters(i));
  const header = columns.map(({ name }, i) =>
    cell(`${places[i]}1`, { name, kind: 'string', many: false, value: () => name }, name),
  );
  yield `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetData><row r="1">${header.join('')}</row>`;
  for (let number = 1; number < SHEET_ROWS;) {
    const taken = await rows.next(SHEET_ROWS - number);
    if (taken.length === 0) break;
    let xml = '';
    for (const values of taken) {
      number++;
      const cells = columns.map((column, i) => cell(`${places[i]}${number}`, column, values[i]));
      xml += `<row r="${number}">${cells.join('')}</row>`;
    }
    yield xml;
  }
  yield '</sheetData></worksheet>';
}

const sheetPath = (number: number): string => `worksheets/sheet${number}.xml`;

/** The parts that tell of the sheets. */
function addParts(zip: ZipFile, sheets: number): void {
  const numbers = Array.from({ length: sheets }, (_, i) => i + 1);
  const add = (path: string, xml: string): void => {
    zip.addBuffer(Buffer.from(DECLARATION + xml), path);
  };
  add(
    '[Content_Types].xml',
    `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${PART}.sheet.main+xml"/>${numbers.map((n) => `<Override PartName="/xl/${sheetPath(n)}" ContentType="${PART}.worksheet+xml"/>`).join('')}</Types>`,
  );
  add(
    '_rels/.rels',
    `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  );
  add(
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${numbers.map((n) => `<sheet name="Sheet${n}" sheetId="${n}" r:id="rId${n}"/>`).join('')}</sheets></workbook>`,
  );
  add(
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${RELATIONS}">${numbers.map((n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="${sheetPath(n)}"/>`).join('')}</Relationships>`,
  );
}

/** More rows than a sheet holds go on in the next one. */
async function addSheets(zip: ZipFile, columns: readonly TableColumn[], rows: Rows): Promise<void> {
  let sheets = 0;
  do {
    const xml = Readable.from(sheet(columns, rows), { objectMode: false, highWaterMark: 64 * 1024 });
    zip.addReadStream(xml, `xl/${sheetPath(++sheets)}`, { compressionLevel: FAST });
    await once(xml, 'end');
  } while (!(await rows.isEnd()));
  addParts(zip, sheets);
  zip.end();
}

async function* encode(
  columns: readonly TableColumn[],
  blocks: AsyncIterable<RowTexts>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const zip = new ZipFile();
  const rows = new Rows(columns, blocks);
  const out = zip.outputStream as Readable; // it is a PassThrough
  const fail = (error: unknown): void => {
    out.destroy(error instanceof Error ? error : new Error(String(error)));
  };
  zip.on('error', fail);
  try {
    addSheets(zip, columns, rows).catch(fail);
    yield* out as AsyncIterable<Uint8Array>; // what a ZIP consists of
  } finally {
    out.destroy();
    await rows.leave();
  }
}

export const xlsx: TableFormat = {
  extension: 'xlsx',
  mediaType: `${PART}.sheet`,
  encode,
};
