// The columns of a state of an entity as they are written: in SQL, and column by column as values.
import {
  type ColumnType,
  type EntityState,
  STORED_COLUMNS,
  type StoredColumn,
} from '../../../platform/entity-columns.ts';
import { jsonText } from '../../../platform/json-text.ts';
import { namesOf } from '../reading/column-sql.ts';

export type StateColumnType = 'text' | 'int' | 'boolean' | 'timestamptz' | 'jsonb';
const SQL_TYPE: Readonly<Record<ColumnType, StateColumnType>> = {
  text: 'text',
  name: 'text',
  integer: 'int',
  boolean: 'boolean',
  instant: 'timestamptz',
  object: 'jsonb',
};
const sqlType = ({ type }: StoredColumn): StateColumnType => SQL_TYPE[type];

/** The columns of a state, in each of its tables. */
export const STATE = namesOf(STORED_COLUMNS);
export const STATE_TYPES = STORED_COLUMNS.map(sqlType);
export const stateNames = (alias: string): string => namesOf(STORED_COLUMNS, `${alias}.`);

/** Their values; of JSON, its text. */
export const stateValues = (states: readonly EntityState[]): unknown[][] =>
  STORED_COLUMNS.map(({ field, type }) =>
    states.map((state) => (type === 'object' ? jsonText(state[field]) : state[field])),
  );

/** Those that an update may change; of the data only its changes are sent. */
export const CHANGING = STORED_COLUMNS.filter(({ isFixed, field }) => isFixed !== true && field !== 'data');
export const CHANGING_TYPES = CHANGING.map(sqlType);
/** Their SET from the rows `c`. */
export const CHANGES = CHANGING.map(({ name }) => `${name} = c.${name}`).join(', ');
