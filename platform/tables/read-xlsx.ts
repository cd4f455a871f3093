// Reads one sheet of an XLSX workbook. The sheet is in memory as a whole: its format allows no less.
import { readSheet } from 'read-excel-file/node';
import { assertModestWorkbook } from './assert-modest-workbook.ts';
import { notTooLong, timeText } from './plain-value.ts';
import { TableFault, type TableRow, tidiedNames } from './table-row.ts';

/** The day before which a workbook has no dates: what lies there is a time of day. */
const FIRST_DAY = Date.UTC(1900, 0, 1);

type PlainCell = string | number | boolean | null;
type Cell = PlainCell | Date;

function plainCell(value: Cell): PlainCell {
  if (!(value instanceof Date)) return value;
  return value.getTime() < FIRST_DAY ? value.toISOString().slice(11, 19) : timeText(value);
}

async function rowsOf(
  path: string,
  sheet: string | number | undefined,
): Promise<readonly (readonly Cell[])[]> {
  try {
    await assertModestWorkbook(path);
    const rows: unknown = await readSheet(path, sheet ?? 1, { trim: false });
    return rows as readonly (readonly Cell[])[]; // the package's type names the constructor of dates instead
  } catch (cause) {
    if (cause instanceof TableFault) throw cause;
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new TableFault('content', `cannot be read as an XLSX workbook: ${said}`, { cause });
  }
}

/**
 * The rows below the first that is not empty, which has the names of the columns. Dates are text: a day, an
 * instant in UTC, or a time of day. Empty cells are null; rows without a value are left out.
 * @param sheet its name, or its number from 1; default: the first
 * @throws TableFault
 */
export async function* readXlsx(
  path: string,
  sheet?: string | number,
  onTotal: (rows: number) => void = () => undefined,
): AsyncGenerator<TableRow> {
  const rows = await rowsOf(path, sheet);
  const isBlank = (row: readonly Cell[]): boolean => row.every((cell) => cell === null);
  const at = rows.findIndex((row) => !isBlank(row));
  const names = tidiedNames((rows[at] ?? []).map((cell) => String(plainCell(cell) ?? '')));
  onTotal(Math.max(0, rows.length - at - 1));
  for (let i = at + 1; i < rows.length; i++) {
    const row = rows[i] ?? [];
    if (!isBlank(row))
      yield notTooLong(i + 1, Object.fromEntries(names.map((name, c) => [name, plainCell(row[c] ?? null)])));
  }
}
