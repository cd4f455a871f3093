// A table of the database as a section of an archive: its columns, each spelled once for both directions.
import type { SectionName } from './archive-format.ts';

export interface ArchivedColumn {
  readonly name: string;
  /** Of the database, as the value is read from JSON. */
  readonly type: string;
  /** SQL of the value that is archived, where it is not the column itself. */
  readonly read?: string;
  /** SQL of the value that is stored, from the archived one; `x` is the row. */
  readonly write?: string;
}

export interface TableSection {
  readonly name: SectionName;
  readonly table: string;
  readonly columns: readonly ArchivedColumn[];
  /** SQL of the rows that belong to the archive, and of their order, which has to be the same in every database. */
  readonly order: string;
  readonly where?: string;
  /** Whether the table counts its rows itself, but takes these numbers. */
  readonly overriding?: true;
}

/** A column that is not in the archive. */
export interface AddedColumn {
  readonly name: string;
  /** SQL of the value that is stored; `x` is the row. */
  readonly write: string;
}

/** One column `line`: each row as JSON. */
export const linesSql = ({ table, columns, order, where }: TableSection): string =>
  `SELECT row_to_json(t)::text AS line FROM (SELECT ${columns
    .map(({ name, read }) => (read === undefined ? name : `${read} AS ${name}`))
    .join(', ')} FROM ${table}${where === undefined ? '' : ` WHERE ${where}`} ORDER BY ${order}) t`;

/**
 * Stores rows from a JSON list of them, the statement's first parameter. JSON of the type `json` is kept to the letter.
 * @param more further columns, each a list of texts that is a parameter of its own
 */
export function storeSql(
  { table, columns, overriding }: TableSection,
  more: readonly AddedColumn[] = [],
): string {
  const rows = `json_to_recordset($1::json) AS (${columns.map(({ name, type }) => `${name} ${type}`).join(', ')})`;
  const lists = more.map((_, i) => `unnest($${i + 2}::text[])`);
  const names = columns.map(({ name }) => name);
  const from =
    lists.length === 0
      ? `json_to_recordset($1::json) AS x(${columns.map(({ name, type }) => `${name} ${type}`).join(', ')})`
      : `ROWS FROM (${[rows, ...lists].join(', ')}) AS x(${[...names, ...more.map(({ name }) => name)].join(', ')})`;
  return `INSERT INTO ${table} (${[...names, ...more.map(({ name }) => name)].join(', ')})${overriding === true ? ' OVERRIDING SYSTEM VALUE' : ''}
    SELECT ${[...columns.map(({ name, write }) => write ?? `x.${name}`), ...more.map(({ write }) => write)].join(', ')} FROM ${from}`;
}
