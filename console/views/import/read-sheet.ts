// Reads a sheet in the browser: CSV, TSV, XLSX, JSON and NDJSON. What a format needs is loaded with its first sheet.
import { ApiError } from '../../api/api-error.ts';
import { type Data, isData } from '../../api/json.ts';
import { COMMAND } from '../../api/place.ts';
import { numberText, sizeText } from '../../parts/text.ts';
import { cellText, type Sheet, type SheetRow } from './sheet.ts';

/** Beyond, the command line reads it in constant memory. */
const LARGEST = 50_000_000;
const MOST_ROWS = 100_000;
/** What a workbook may unpack to. */
const UNPACKED = 200_000_000;

export const ENDINGS = ['csv', 'tsv', 'tab', 'txt', 'xlsx', 'json', 'ndjson', 'jsonl'] as const;

const refused = (message: string, advice: string, cause?: unknown): ApiError =>
  new ApiError('sheet', message, { advice, cause });

const BY_COMMAND = `The command line loads larger ones: ${COMMAND} ingest --help`;

/** Text in UTF-8, or UTF-16 with its mark; what is no UTF-8 comes from an older spreadsheet on Windows. */
function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (fault) {
    if (!(fault instanceof TypeError)) throw fault;
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Names of columns; by position where there is none, or where it is there already. */
function namesOf(titles: readonly string[], width: number): readonly string[] {
  const taken = new Set<string>();
  return Array.from({ length: width }, (_, i) => {
    const title = titles[i]?.trim() ?? '';
    const name = title === '' || taken.has(title) ? `column ${i + 1}` : title;
    taken.add(name);
    return name;
  });
}

function sheetOf(name: string, titles: readonly string[], rows: readonly SheetRow[]): Sheet {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), titles.length);
  return { name, columns: namesOf(titles, width), rows };
}

const DELIMITERS = [',', '\t', ';', '|'] as const;

/** What the first line has most of. */
function delimiterOf(text: string): string {
  const [line = ''] = text.split(/\r?\n/, 1);
  const counts = DELIMITERS.map((one) => [one, line.split(one).length] as const);
  return counts.toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? ',';
}

async function readDelimited(name: string, text: string): Promise<Sheet> {
  const { parse } = await import('csv-parse/browser/esm/sync');
  try {
    const read = parse(text, {
      delimiter: delimiterOf(text),
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as readonly { readonly record: readonly string[]; readonly info: { lines: number } }[]; // `info` makes it so
    const [head, ...rows] = read;
    return sheetOf(
      name,
      head?.record ?? [],
      rows.map(({ record, info }) => ({ line: info.lines, cells: record })),
    );
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : '';
    throw refused(`${name} cannot be read as a table: ${said}`, 'Save it again as CSV or XLSX.', cause);
  }
}

/** A day as a date, anything else as an instant in UTC. */
function plainCell(cell: unknown): unknown {
  if (!(cell instanceof Date)) return cell;
  const text = cell.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
}

async function readWorkbook(name: string, file: Blob): Promise<Sheet> {
  const [{ unzipSync, zipSync }, { readSheet }] = await Promise.all([
    import('fflate'),
    import('read-excel-file/universal'),
  ]);
  try {
    let size = 0;
    const parts = unzipSync(new Uint8Array(await file.arrayBuffer()), {
      filter: ({ originalSize }) => (size += originalSize) <= UNPACKED,
    });
    if (size > UNPACKED)
      throw refused(`${name} unpacks to more than ${sizeText(UNPACKED)}.`, 'Save the sheet as CSV.');
    // the reader unpacks compressed parts in workers made of text, which the policy of this page denies
    const stored = zipSync(parts, { level: 0 });
    const read = (await readSheet(stored.buffer, 1, { trim: false })) as readonly (readonly unknown[])[]; // its type names the constructors of cells
    const filled = read
      .map((cells, i) => ({ line: i + 1, cells: cells.map(plainCell) }))
      .filter(({ cells }) => cells.some((cell) => cell !== null));
    const [head, ...rows] = filled;
    return sheetOf(name, (head?.cells ?? []).map(cellText), rows);
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    const said = cause instanceof Error ? cause.message : '';
    throw refused(`${name} cannot be read as a workbook: ${said}`, 'Save it again as XLSX or CSV.', cause);
  }
}

/** A record, or the data of a request that `cairn ingest` takes. */
function recordOf(value: unknown, line: number, name: string): Data {
  if (!isData(value)) throw refused(`${name}, record ${line} is no object.`, 'Each record is one entity.');
  const { data, entity_type: type, id } = value;
  return isData(data) && typeof type === 'string' ? { ...(id === undefined ? {} : { id }), ...data } : value;
}

function readRecords(name: string, text: string, isLines: boolean): Sheet {
  const parsed = (part: string, line: number): unknown => {
    try {
      return JSON.parse(part) as unknown;
    } catch (cause) {
      throw refused(`${name}, line ${line} is no JSON.`, 'Correct it there, then choose it again.', cause);
    }
  };
  const whole = isLines ? undefined : parsed(text, 1);
  const values: readonly (readonly [number, unknown])[] = isLines
    ? text
        .split('\n')
        .flatMap((part, i) => (part.trim() === '' ? [] : [[i + 1, parsed(part, i + 1)] as const]))
    : [whole].flat().map((one, i) => [i + 1, one]);
  const records = values.map(([line, value]) => ({ line, record: recordOf(value, line, name) }));
  const columns = [...new Set(records.flatMap(({ record }) => Object.keys(record)))];
  return {
    name,
    columns,
    rows: records.map(({ line, record }) => ({ line, cells: columns.map((column) => record[column]) })),
  };
}

/** @throws ApiError that says what is wrong with the file */
export async function readSheetFile(file: File): Promise<Sheet> {
  const { name, size } = file;
  const ending = ENDINGS.find((one) => name.toLowerCase().endsWith(`.${one}`));
  if (ending === undefined)
    throw refused(`${name} is no sheet that can be read here.`, `Choose one of ${ENDINGS.join(', ')}.`);
  if (size > LARGEST) throw refused(`${name} has ${sizeText(size)}.`, BY_COMMAND);
  const sheet =
    ending === 'xlsx'
      ? await readWorkbook(name, file)
      : await readText(name, ending, decoded(new Uint8Array(await file.arrayBuffer())));
  if (sheet.rows.length === 0)
    throw refused(`${name} has no rows.`, 'The first line names the columns, each further one is an entity.');
  if (sheet.rows.length > MOST_ROWS)
    throw refused(`${name} has ${numberText(sheet.rows.length)} rows.`, BY_COMMAND);
  return sheet;
}

const readText = async (name: string, ending: string, text: string): Promise<Sheet> =>
  ending.includes('json')
    ? readRecords(name, text.replace(/^\uFEFF/, ''), ending !== 'json')
    : readDelimited(name, text);
