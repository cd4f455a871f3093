// How a row's answer is a table: where its columns come from, and which part of the payload are its rows.
import { ENTITY_COLUMNS } from '../platform/entity-columns.ts';
import type { ColumnKind, TableColumn } from '../platform/table-formats/table.ts';

/** A field of a schema, as the fields' document answers it. */
export interface TableField {
  readonly name: string;
  readonly type: string;
  readonly many: boolean;
}

/** A field of what a path of references leads to; null for a list of entities. */
export interface ExpandedField {
  readonly path: readonly string[];
  readonly field: TableField | null;
}

/** What of a request says which table is wanted. */
export interface TableInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
}

export interface RowTable {
  /** The type whose fields are columns; null where the request names none. */
  entityType(input: TableInput): string | null;
  /** The paths whose fields are columns as well; null where the request names none. */
  expand?(input: TableInput): string | null;
  /**
   * The columns, by the fields of the type; null where none is named.
   * @param expanded null where nothing is expanded
   */
  columns(
    fields: readonly TableField[] | null,
    expanded: readonly ExpandedField[] | null,
  ): readonly TableColumn[];
  /** The rows of the payload, and the cursor of the next page if the payload has it. */
  rows(payload: unknown): { readonly rows: readonly unknown[]; readonly nextCursor?: string | null };
}

const FIELD = 'name type many';
export const FIELDS_DOCUMENT = `query TableFields($entityType: String!) {
  schema(name: $entityType) { allFields { ${FIELD} } } }`;
export const EXPANDED_FIELDS_DOCUMENT = `query ExpandedTableFields($entityType: String!, $paths: String!) {
  schema(name: $entityType) { allFields { ${FIELD} } expandedFields(paths: $paths) { path field { ${FIELD} } } } }`;

type Row = Readonly<Record<string, unknown>>;

const own = (name: string, kind: ColumnKind, many = false): TableColumn => ({
  name,
  kind,
  many,
  value: (row) => row[name],
});

const KINDS: Readonly<Record<string, ColumnKind>> = {
  int: 'int',
  float: 'float',
  bool: 'bool',
  date: 'date',
  datetime: 'datetime',
  json: 'json',
};

const OWN_KINDS = {
  text: 'string',
  name: 'string',
  integer: 'int',
  boolean: 'bool',
  instant: 'datetime',
} as const;
const OWN = ENTITY_COLUMNS.flatMap(({ inRest, name, type }) =>
  inRest === true && type !== 'object' ? [own(name, OWN_KINDS[type])] : [],
);
const DATA = own('data', 'json');

/** A field of the data that has the name of an own column is `data.<name>`. */
function fieldColumns(fields: readonly TableField[], taken: readonly TableColumn[]): TableColumn[] {
  const names = new Set([...taken.map(({ name }) => name), ...fields.map(({ name }) => name)]);
  const ownNames = new Set(taken.map(({ name }) => name));
  return fields
    .filter(({ name }) => name !== 'id') // stands for the entity's own and is never kept in data
    .map(({ name, type, many }) => {
      let shown = name;
      while (ownNames.has(shown) || (shown !== name && names.has(shown))) shown = `data.${shown}`;
      return {
        name: shown,
        kind: KINDS[type] ?? 'string',
        many,
        value: ({ data }: Row) => memberOf(data, name),
      };
    });
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Row)[name] : null; // an object, as checked

/** Where the steps of a path lead, each in the `expanded` of the entity before. */
const reached = (row: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((entity, step) => memberOf(memberOf(entity, 'expanded'), step), row);

/** `donor.age`; entities that a list of references leads to are JSON, `parts[]`. */
function expandedColumns(expanded: readonly ExpandedField[], before: readonly TableColumn[]): TableColumn[] {
  const taken = new Set(before.map(({ name }) => name));
  return expanded.flatMap(({ path, field }): TableColumn[] => {
    if (field?.name === 'id') return []; // stands for the entity's own, which is the reference
    let name = field === null ? `${path.join('.')}[]` : `${path.join('.')}.${field.name}`;
    while (taken.has(name)) name = `expanded.${name}`;
    taken.add(name);
    if (field === null) return [{ name, kind: 'json', many: false, value: (row) => reached(row, path) }];
    return [
      {
        name,
        kind: KINDS[field.type] ?? 'string',
        many: field.many,
        value: (row) => memberOf(memberOf(reached(row, path), 'data'), field.name),
      },
    ];
  });
}

/**
 * Entities: their own columns, then the fields of the type and those of the entities it refers to, or all data as
 * JSON where no type is named.
 */
export const entityColumns = (
  fields: readonly TableField[] | null,
  expanded: readonly ExpandedField[] | null = null,
  more: readonly TableColumn[] = [],
): readonly TableColumn[] => {
  const before = [...OWN, ...more];
  if (fields === null) return [...before, DATA, ...(expanded === null ? [] : [own('expanded', 'json')])];
  const unexpanded = [...before, ...fieldColumns(fields, before)];
  return [...unexpanded, ...expandedColumns(expanded ?? [], unexpanded)];
};

const typeOf = ({ query }: TableInput): string | null =>
  typeof query['entity_type'] === 'string' && query['entity_type'] !== '' ? query['entity_type'] : null;

/** A page of entities. */
export const ENTITY_PAGE: RowTable = {
  entityType: typeOf,
  expand: ({ query: { expand } }) => (Array.isArray(expand) && expand.length > 0 ? expand.join(',') : null),
  columns: entityColumns,
  rows(payload) {
    // as the list's document selects it
    const { items, next_cursor: nextCursor } = payload as {
      items: readonly unknown[];
      next_cursor: string | null;
    };
    return { rows: items, nextCursor };
  },
};

/** Hits of a search: entities, best first. */
export const HITS: RowTable = {
  entityType: typeOf,
  columns: (fields) => entityColumns(fields, null, [own('score', 'float')]),
  rows: (payload) => ({ rows: payload as readonly unknown[] }), // a bare list, by its document
};

/** Provenance events. */
export const EVENTS: RowTable = {
  entityType: () => null,
  columns: () => [
    own('id', 'string'),
    own('event_type', 'string'),
    own('entity_id', 'string'),
    own('entity_type', 'string'),
    own('actor', 'string'),
    own('timestamp', 'datetime'),
    own('schema_version', 'string'),
    own('context', 'json'),
    own('payload', 'json'),
  ],
  rows: (payload) => ({ rows: payload as readonly unknown[] }), // a bare list, by its document
};
