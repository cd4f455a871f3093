// SQL of the rows of a table as they were at an instant (docs/decisions/0167-states-that-have-ended.md): what changed
// since is undone, what has come since is left out. The instant is an expression of the type timestamptz.

/** A table whose changes are kept in `past_state` of its schema. */
export interface PastTable {
  readonly schema: 'workflow' | 'artifact';
  readonly name: string;
  /** The columns of its key, as its trigger names them. */
  readonly key: readonly string[];
}

const keyOf = ({ key }: PastTable, alias: string): string =>
  key.map((column) => `${alias}.${column}`).join(` || ' ' || `);

const undone = ({ schema }: PastTable): string =>
  `${schema}.undone(s.state ORDER BY s.until DESC, s.id DESC) AS state, (array_agg(s.state IS NULL ORDER BY s.until, s.id))[1] AS absent`;

const sinceThen = ({ schema, name }: PastTable, at: string): string =>
  `${schema}.past_state s WHERE s.relation = '${name}' AND s.until > ${at}`;

/**
 * The state of the row `base` of the table, as `alias`, for a lateral join: none if there was no such row. One look-up
 * for each row, in the order of `base`.
 */
export const rowAt = (table: PastTable, at: string, base: string, alias: string): string =>
  `LATERAL (SELECT x.* FROM (SELECT ${undone(table)} FROM ${sinceThen(table, at)} AND s.key = (${keyOf(table, base)}) COLLATE "C") h,
     jsonb_populate_record(${base}, h.state) x WHERE h.absent IS NOT TRUE) ${alias}`;

/**
 * All rows of the table, in place of its name. What did not change since is read from the table, the rest by what
 * changed, rows that were deleted among them.
 * @param keys SQL of an array of keys, as {@link PastTable.key} makes them: only these rows, and only their changes are read
 */
export const rowsAt = (table: PastTable, at: string, keys?: string): string => {
  const { schema, name } = table;
  const only = (key: string): string => (keys === undefined ? '' : ` AND ${key} = ANY(${keys})`);
  return `(SELECT b.* FROM ${schema}.${name} b WHERE NOT EXISTS (SELECT FROM ${sinceThen(table, at)} AND s.key = (${keyOf(table, 'b')}) COLLATE "C")${only(keyOf(table, 'b'))}
    UNION ALL
    SELECT x.* FROM (SELECT s.key, ${undone(table)} FROM ${sinceThen(table, at)}${only('s.key')} GROUP BY s.key) h
      LEFT JOIN ${schema}.${name} b ON ${keyOf(table, 'b')} = h.key COLLATE "default", jsonb_populate_record(b, h.state) x WHERE h.absent IS NOT TRUE)`;
};

/** The table itself for the present, its rows at the instant otherwise: what FROM takes before an alias. */
export const tableAt = (table: PastTable, at: string | null, keys?: string): string =>
  at === null ? `${table.schema}.${table.name}` : rowsAt(table, at, keys);
