// Many entities as one value: read by id, each row of a result costs the client more than the entity in it.
import { type ColumnType, type EntityColumn, ENTITY_COLUMNS } from '../../../platform/entity-columns.ts';
import type { EntityRow } from '../reading/entity-record.ts';
import { columnSql, JOINED_TIMES } from '../reading/column-sql.ts';

/** These two characters occur in no JSON text, number, timestamp or type name. */
const UNIT = '\u001f';
export const RECORD = '\u001e';

/** Free text goes as JSON: it may hold the separators. */
const PACK: Readonly<Record<ColumnType, (sql: string) => string>> = {
  text: (sql) => `to_json(${sql})`,
  name: (sql) => sql,
  integer: (sql) => sql,
  boolean: (sql) => sql,
  instant: (sql) => `${sql} AT TIME ZONE 'UTC'`,
  object: (sql) => sql,
};

/** Nothing at all stands for NULL; what may be empty is quoted. */
function packedSql(column: EntityColumn): string {
  const sql = PACK[column.type](columnSql(column, JOINED_TIMES));
  return column.isNullable === true ? `coalesce((${sql})::text, '')` : sql;
}

/**
 * The column `packed` over `e` (entity), `c` and `u` (its first and last event), for a statement that ends in
 * {@link PACKS_SQL}.
 */
export const PACKED_ENTITIES_SQL = `string_agg(concat_ws(E'\\x1f', ${ENTITY_COLUMNS.map(packedSql).join(', ')}), E'\\x1e') AS packed`;

/**
 * One row for all small entities; large ones have rows of their own, so that no value exceeds the maximum
 * size of a string.
 */
export const PACKS_SQL = 'GROUP BY CASE WHEN pg_column_size(e.data) > 4000 THEN e.id END';

export interface Pack {
  readonly packed: string;
}

/** The text of which `to_json` made this. */
export const unquoted = (json: string): string =>
  // A string, by the SQL that made it.
  json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);

/** A text of a record by how it was packed. */
const UNPACK = ENTITY_COLUMNS.map(({ name, type, isNullable }) => ({
  name,
  read: (text: string): string | null => {
    if (isNullable === true && text === '') return null;
    return type === 'text' ? unquoted(text) : text;
  },
}));
/** Each row begins as a copy of this: filling it in changes no shape. */
const NO_ROW = Object.fromEntries(UNPACK.map(({ name }) => [name, ''])) as Record<
  keyof EntityRow,
  string | null
>;

function unpack(record: string): EntityRow {
  const texts = record.split(UNIT);
  const row = { ...NO_ROW };
  let place = 0;
  for (const { name, read } of UNPACK) row[name] = read(texts[place++] ?? '');
  return row as EntityRow; // NULL where the column may be
}

/** Copies the string: a slice of a pack would keep the whole pack in memory. */
const detached = (slice: string): string => Buffer.from(slice).toString();

/** The packed entities, by id. */
export function unpackEntities(packs: readonly Pack[]): ReadonlyMap<string, EntityRow> {
  const byId = new Map<string, EntityRow>();
  for (const { packed } of packs) {
    const records = packed.split(RECORD);
    for (const record of records) {
      const row = unpack(records.length === 1 ? record : detached(record));
      byId.set(row.id, row);
    }
  }
  return byId;
}
