// SQL that serialises an entity as JSON text with exactly the fields and order of a selection
// (docs/architecture.md#the-way-of-a-request).
import { type ColumnType, ENTITY_COLUMNS } from '../../../platform/entity-columns.ts';
import type { TextSelection } from '../../../platform/text-fields.ts';
import { columnSql, type TimeColumns } from '../reading/column-sql.ts';

/** JSON text of SQL of the type, NULL where that is. */
const JSON_OF: Readonly<Record<ColumnType, (sql: string) => string>> = {
  text: (sql) => `to_json(${sql})::text`,
  name: (sql) => `to_json(${sql})::text`,
  integer: (sql) => `${sql}::text`,
  boolean: (sql) => `${sql}::text`,
  instant: (sql) => `to_char(${sql} AT TIME ZONE 'UTC', '"\\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\\""')`,
  object: (sql) => `${sql}::text`,
};

/** SQL over `e` (entity) and its times, never NULL. */
const FIELDS: Readonly<Record<string, (times: TimeColumns) => string>> = {
  ...Object.fromEntries(
    ENTITY_COLUMNS.map((column) => [
      column.field,
      (times: TimeColumns) => {
        const json = JSON_OF[column.type](columnSql(column, times));
        return column.isNullable === true ? `coalesce(${json}, 'null')` : json;
      },
    ]),
  ),
  __typename: () => `'"Entity"'`,
};

export interface EntityJson {
  sql(times: TimeColumns): string;
  /** How many times the text contains the entity's data. */
  readonly dataCopies: number;
}

/** The JSON of a selection, or null if it has more than an entity's own columns. */
export function entityJson(selection: readonly TextSelection[]): EntityJson | null {
  const isOwn = ({ name, hasArguments }: TextSelection): boolean =>
    Object.hasOwn(FIELDS, name) && !hasArguments;
  if (selection.length === 0 || !selection.every(isOwn)) return null;
  return {
    dataCopies: selection.filter(({ name }) => name === 'data').length,
    sql(times) {
      const members = selection.map(({ key, name }, i) => {
        const value = FIELDS[name]?.(times);
        return `'${i === 0 ? '{' : ','}"${key}":' || ${value}`; // a GraphQL name needs no quoting
      });
      return `${members.join(' || ')} || '}'`;
    },
  };
}
