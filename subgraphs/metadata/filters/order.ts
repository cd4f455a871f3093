// `order_by` of a listing (docs/reference/metadata.md#order): keys of an ORDER BY that never are NULL and
// together are unique, so that a cursor can hold them.
import { invalid } from '../../../platform/errors.ts';
import { isWellFormed } from './constants.ts';
import { type IndexKind, numberKeySql, textKeySql } from './field-index.ts';

export interface OrderKey {
  /** SQL over the listing's aliases, without parameters. */
  readonly sql: string;
  readonly type: 'bigint' | 'text' | 'jsonb';
  readonly descending: boolean;
  /** Whether an index over a data field holds it: of the rows meant, none is without a value. */
  readonly indexed?: { /** What is not NULL in the index. */ readonly held: string };
}

/**
 * Where the order's names lie: events stand for times, because the log's positions are in the order of its
 * times.
 */
export interface OrderColumns {
  /** bigint, unique */
  readonly created_at: string;
  /** bigint, unique */
  readonly updated_at: string;
  /** text, unique */
  readonly id: string;
  /** jsonb */
  readonly data: string;
}

/** `metadata.entity e`. */
export const ENTITY_ORDER: OrderColumns = {
  created_at: 'e.first_event',
  updated_at: 'e.last_event',
  id: 'e.id',
  data: 'e.data',
};

/** As GraphQL spells them. */
const GRAPHQL_NAMES: Readonly<Record<string, string>> = Object.assign(
  Object.create(null) as Record<string, string>,
  { createdAt: 'created_at', updatedAt: 'updated_at' },
);

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function refuse(orderBy: string): never {
  throw invalid(
    `order_by must be created_at, updated_at, id or data.<field>, with a leading - for descending order, several by comma; not ${JSON.stringify(orderBy.slice(0, 200))}`,
  );
}

/** Keys of one order: each is compared for every row. */
const MAX_KEYS = 8;
/** A comma before what can begin a key: one inside a field's name stays there. */
const BETWEEN_KEYS = /,\s*(?=-?(?:(?:created_at|updated_at|createdAt|updatedAt|id)(?:,|$)|data\.))/;

/**
 * The keys of an order, most significant first; the last is unique. A field that is missing counts as null,
 * which comes before everything else; strings come before numbers before bools.
 * @param orderBy null for the order of creation
 * @param fields the fields of the named type, null when no type is named
 * @param kindOf how a field is indexed that every row meant has a value of, null for any other
 * @throws DomainError `validation_failed`
 */
export function compileOrder(
  orderBy: string | null,
  fields: ReadonlyMap<string, unknown> | null = null,
  kindOf: (field: string) => IndexKind | null = () => null,
  columns: OrderColumns = ENTITY_ORDER,
): readonly OrderKey[] {
  const keys: OrderKey[] = [];
  for (const given of partsOf(orderBy ?? 'created_at', fields)) {
    const key = keyNamed(given, fields, kindOf, columns);
    if (keys.length < MAX_KEYS && !keys.some(({ sql }) => sql === key.sql)) keys.push(key);
    else if (keys.length === MAX_KEYS) throw invalid(`order_by takes at most ${MAX_KEYS} keys`);
  }
  const isUnique = ({ sql }: OrderKey): boolean =>
    sql === columns.created_at || sql === columns.updated_at || sql === columns.id;
  const decisive = keys.findIndex(isUnique);
  if (decisive >= 0) return keys.slice(0, decisive + 1); // what comes after decides nothing
  return [...keys, { sql: columns.created_at, type: 'bigint', descending: keys.at(-1)?.descending ?? false }];
}

/** One key where the whole text is a field's name, commas and all. */
const partsOf = (orderBy: string, fields: ReadonlyMap<string, unknown> | null): readonly string[] =>
  fields?.has(orderBy.replace(/^-?data\./, '')) === true ? [orderBy] : orderBy.split(BETWEEN_KEYS);

function keyNamed(
  given: string,
  fields: ReadonlyMap<string, unknown> | null,
  kindOf: (field: string) => IndexKind | null,
  columns: OrderColumns,
): OrderKey {
  const descending = given.startsWith('-');
  const plain = descending ? given.slice(1) : given;
  const name = GRAPHQL_NAMES[plain] ?? plain;
  if (name === 'created_at' || name === 'updated_at')
    return { sql: columns[name], type: 'bigint', descending };
  if (name === 'id') return { sql: columns.id, type: 'text', descending };
  if (!name.startsWith('data.')) return refuse(name);
  const field = name.slice('data.'.length);
  if (field === '' || field.length > 128 || !isWellFormed(field)) return refuse(name);
  if (fields !== null && !fields.has(field)) throw invalid(`unknown field ${field}`, { field });
  const value = `(${columns.data} -> ${quoted(field)})`;
  switch (kindOf(field)) {
    case 'number':
      return { sql: numberKeySql(value), type: 'jsonb', descending, indexed: { held: numberKeySql(value) } };
    case 'text':
      return {
        sql: `${textKeySql(value)} COLLATE "C"`,
        type: 'text',
        descending,
        indexed: { held: textKeySql(value) },
      };
    case null:
      return {
        sql: `coalesce(${columns.data} -> ${quoted(field)}, 'null'::jsonb)`,
        type: 'jsonb',
        descending,
      };
  }
}
