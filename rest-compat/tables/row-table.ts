// How a row's answer is a table: where its columns come from, and which part of the payload are its rows.
import { ENTITY_COLUMNS } from '../../platform/entity-columns.ts';
import type { ColumnKind, TableColumn } from './table.ts';

/** A field of a schema, as the fields' document answers it. */
export interface TableField {
  readonly name: string;
  readonly type: string;
  readonly many: boolean;
}

export interface RowTable {
  /** The type whose fields are columns; null where the request names none. */
  entityType(input: {
    readonly params: Readonly<Record<string, string>>;
    readonly query: Readonly<Record<string, unknown>>;
  }): string | null;
  /** The columns, by the fields of the type; null where there is no such type, or none is named. */
  columns(fields: readonly TableField[] | null): readonly TableColumn[];
  /** The rows of the payload, and the cursor of the next page if the payload has it. */
  rows(payload: unknown): { readonly rows: readonly unknown[]; readonly nextCursor?: string | null };
}

export const FIELDS_DOCUMENT = `query TableFields($entityType: String!) {
  schema(name: $entityType) { allFields { name type many } } }`;

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
        value: ({ data }: Row) =>
          typeof data === 'object' && data !== null && Object.hasOwn(data, name)
            ? (data as Row)[name] // an object, as checked
            : null,
      };
    });
}

/** Entities: their own columns, then the fields of the type, or all data as JSON where no type is named. */
export const entityColumns = (
  fields: readonly TableField[] | null,
  more: readonly TableColumn[] = [],
): readonly TableColumn[] => {
  const before = [...OWN, ...more];
  return [...before, ...(fields === null ? [DATA] : fieldColumns(fields, before))];
};

const typeOf = ({ query }: { readonly query: Readonly<Record<string, unknown>> }): string | null =>
  typeof query['entity_type'] === 'string' && query['entity_type'] !== '' ? query['entity_type'] : null;

/** A page of entities. */
export const ENTITY_PAGE: RowTable = {
  entityType: typeOf,
  columns: (fields) => entityColumns(fields),
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
  columns: (fields) => entityColumns(fields, [own('score', 'float')]),
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
