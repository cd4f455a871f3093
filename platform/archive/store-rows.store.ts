// Stores lines of an archive's table.
import type { Queryable } from '../queryable.ts';
import { type AddedColumn, storeSql, type TableSection } from './table-section.ts';

/** @param more a column that follows from the rows: a text for each line, and SQL of what is stored of it */
export async function storeRows(
  db: Queryable,
  table: TableSection,
  lines: readonly string[],
  more?: AddedColumn & { readonly texts: readonly string[] },
): Promise<void> {
  const rows = `[${lines.join(',')}]`;
  await db.query(
    storeSql(table, more === undefined ? [] : [more]),
    more === undefined ? [rows] : [rows, more.texts],
  );
}
