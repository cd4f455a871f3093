// The columns of an entity, each spelled once: rows, SELECT lists, the packed form, JSON by this process and
// by the database, history, filters, CEL variables and REST's selection derive from this table. It stands in
// platform because metadata, workflow, REST and CEL all read it, and none of them may import another.

/** `name` is text of few letters: it needs no escape wherever it stands. `instant` is text of a time. */
export type ColumnType = 'text' | 'name' | 'integer' | 'boolean' | 'instant' | 'object';

interface ColumnDefinition {
  /** In GraphQL, and of the values that this process holds. */
  readonly field: string;
  /** In SQL, in CEL and in REST. */
  readonly name: string;
  readonly type: ColumnType;
  /** Where it can be null, CEL takes it for a value of any kind. */
  readonly isNullable?: true;
  /** The event whose time it is; else it is stored, with the entity and each of its past states. */
  readonly timeOf?: 'first' | 'last';
  /** Whether it stays as it was at the creation. */
  readonly isFixed?: true;
  /** Whether REST shows it (docs/reference/metadata.md#entity-fields). */
  readonly inRest?: true;
  /** Whether `?name=value` means it (docs/reference/metadata.md#field-parameters). */
  readonly isParameter?: true;
}

/** In the order of REST; rest-compat/answer-row.ts looks for `is_available` at the end of what REST shows. */
const TABLE = [
  { field: 'id', name: 'id', type: 'text', isFixed: true, inRest: true, isParameter: true },
  { field: 'entityType', name: 'entity_type', type: 'name', isFixed: true, inRest: true },
  { field: 'data', name: 'data', type: 'object', inRest: true },
  { field: 'version', name: 'version', type: 'integer', inRest: true, isParameter: true },
  { field: 'createdAt', name: 'created_at', type: 'instant', timeOf: 'first', inRest: true },
  { field: 'updatedAt', name: 'updated_at', type: 'instant', timeOf: 'last', inRest: true },
  { field: 'isAvailable', name: 'is_available', type: 'boolean', inRest: true, isParameter: true },
  { field: 'project', name: 'project', type: 'text', isNullable: true, isParameter: true },
] as const satisfies readonly ColumnDefinition[];

/**
 * What the stored columns are that a write does not bring itself, in the state that it makes of an entity. A
 * change of availability keeps all but that.
 */
const NEXT: { readonly [Field in DerivedField]: (change: StateChange) => EntityState[Field] } = {
  version: ({ before }) => (before?.version ?? 0) + 1,
  isAvailable: ({ before }) => before?.isAvailable ?? true,
};

/** What a column of the state after a write is made from. */
export interface StateChange {
  /** Null where the entity is created. */
  readonly before: EntityState | null;
  readonly data: EntityValues['data'];
  readonly actor: string;
}

// ------------------------------------------------------------------------------------- what follows from it

type Entry = (typeof TABLE)[number];
type StoredEntry = Exclude<Entry, { readonly timeOf: string }>;
type NullableEntry = Extract<Entry, { readonly isNullable: true }>;

interface ValueTypes {
  readonly text: string;
  readonly name: string;
  readonly integer: number;
  readonly boolean: boolean;
  readonly instant: string;
  readonly object: Readonly<Record<string, unknown>>;
}
type ValueOf<Column extends Entry> =
  ValueTypes[Column['type']] | (Column extends NullableEntry ? null : never);

/** An entity's columns by their fields; times are RFC 3339 with microseconds. */
export type EntityValues = { readonly [Column in Entry as Column['field']]: ValueOf<Column> };
/** Those that are stored with each of its states. */
export type EntityState = { readonly [Column in StoredEntry as Column['field']]: ValueOf<Column> };
/** The same by their names, as REST answers and CEL sees them. */
export type NamedEntity = {
  readonly [Column in Exclude<Entry, NullableEntry> as Column['name']]: ValueOf<Column>;
} & { readonly [Column in NullableEntry as Column['name']]?: ValueOf<Column> };
/** As the database answers them: each as text. */
export type EntityTexts = {
  readonly [Column in Entry as Column['name']]: string | (Column extends NullableEntry ? null : never);
};

/** What a write brings itself. */
export type GivenState = Pick<EntityState, 'id' | 'entityType' | 'data' | 'project'>;
type DerivedField = Exclude<keyof EntityState, keyof GivenState>;

export interface EntityColumn extends ColumnDefinition {
  readonly field: Entry['field'];
  readonly name: Entry['name'];
}
export interface StoredColumn extends EntityColumn {
  readonly field: StoredEntry['field'];
  readonly name: StoredEntry['name'];
  readonly timeOf?: never;
}

export const ENTITY_COLUMNS: readonly EntityColumn[] = TABLE;
export const STORED_COLUMNS = ENTITY_COLUMNS.filter(
  (column): column is StoredColumn => column.timeOf === undefined,
);
export const COLUMN_BY_NAME: ReadonlyMap<string, EntityColumn> = new Map(
  ENTITY_COLUMNS.map((column) => [column.name, column]),
);

/** The column that a query parameter of the name means; null for any other name. */
export function parameterColumn(name: string): EntityColumn | null {
  const column = COLUMN_BY_NAME.get(name);
  return column?.isParameter === true ? column : null;
}

/** A GraphQL selection of the columns that answers each under its name. */
export const selectionOf = (columns: readonly EntityColumn[]): string =>
  columns.map(({ field, name }) => (field === name ? name : `${name}: ${field}`)).join(' ');

const DERIVED_FIELDS = Object.keys(NEXT) as DerivedField[]; // as it is written above

/** The columns of the next state that a write does not bring itself. */
export function nextState(change: StateChange): Pick<EntityState, DerivedField> {
  const values: Partial<Record<DerivedField, unknown>> = {};
  for (const field of DERIVED_FIELDS) values[field] = NEXT[field](change);
  return values as Pick<EntityState, DerivedField>; // each has been set to what NEXT says of it
}
