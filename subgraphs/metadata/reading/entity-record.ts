// An entity as it is read: its data may still be the database's text, parsed only when somebody looks inside.
import {
  type ColumnType,
  type EntityColumn,
  ENTITY_COLUMNS,
  type EntityTexts,
  type EntityValues,
  type NamedEntity,
} from '../../../platform/entity-columns.ts';
import type { Moment } from './timeline.ts';
import type { EntityData } from '../schema-model/entity-type.ts';
import { columnView } from './column-view.ts';

/** PostgreSQL's texts: an instant is one of a timestamp in UTC, `2026-01-31 09:30:00.123456`. */
export type EntityRow = EntityTexts;

/** `2026-01-31 09:30:00.1` → `2026-01-31T09:30:00.100000Z` (docs/reference/api-conventions.md#timestamps). */
export function isoTime(text: string): string {
  if (text.length === 26) return `${text.slice(0, 10)}T${text.slice(11)}Z`; // most have all their digits
  const fraction = text.length > 20 ? text.slice(20) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(6, '0')}Z`;
}

/**
 * The value that resolvers of Entity fields start from: a record, or the result of a write, which is of the
 * present.
 */
export interface EntitySource {
  readonly id: string;
  readonly at?: Moment;
}

/** What stands for an Entity in the graph: a record, or what a write has answered. */
export interface EntityView extends EntitySource, EntityValues {}

type Read = (row: EntityRow) => unknown;
/** Of a column that is not null. */
const VALUE_OF: Readonly<Record<ColumnType, (name: keyof EntityRow) => Read>> = {
  text: (name) => (row) => row[name],
  name: (name) => (row) => row[name],
  integer: (name) => (row) => Number(row[name]),
  boolean: (name) => (row) => row[name] === 't',
  instant: (name) => (row) => isoTime(row[name] ?? ''),
  object: (name) => (row) => JSON.parse(row[name] ?? '') as unknown,
};

function reader({ name, type, isNullable }: EntityColumn): Read {
  const valueOf = VALUE_OF[type](name);
  return isNullable === true ? (row) => (row[name] === null ? null : valueOf(row)) : valueOf;
}

const RowValues = columnView<EntityRow, EntityValues>(
  Object.fromEntries(ENTITY_COLUMNS.map((column) => [column.field, reader(column)])) as Record<
    keyof EntityValues,
    (row: EntityRow) => never
  >, // by the column's type, of which the value's is made
);

/** An entity under the names that CEL has for its columns. */
const NamedValues = columnView<EntityValues, NamedEntity>(
  Object.fromEntries(
    ENTITY_COLUMNS.map(({ field, name }) => [name, (values: EntityValues) => values[field]]),
  ) as Record<keyof NamedEntity, (values: EntityValues) => never>, // as the table pairs them
);

export class EntityRecord extends RowValues implements EntityView {
  /** The moment whose state it is; null for the present. */
  readonly at: Moment;
  #data: EntityData | undefined;

  constructor(row: EntityRow, at: Moment = null) {
    super(row);
    this.at = at;
  }

  /** Parsed once. */
  override get data(): EntityData {
    return (this.#data ??= super.data);
  }

  /** As CEL sees it. */
  bound(): NamedEntity {
    return new NamedValues(this);
  }
}
