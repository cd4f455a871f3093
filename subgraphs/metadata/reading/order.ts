// `order_by` of a listing (docs/reference/metadata.md#order): keys of an ORDER BY that are never NULL and
// together are unique, so that a cursor can contain them.
import { invalid } from '../../../platform/errors.ts';
import { isWellFormed } from './constants.ts';
import { type IndexKind, numberKeySql, textKeySql } from '../schema-model/field-index.ts';
import { withoutPrototype } from '../../../platform/without-prototype.ts';

export interface OrderKey {
  /** SQL over the listing's aliases, without parameters. */
  readonly sql: string;
  readonly type: 'bigint' | 'text' | 'jsonb';
  readonly descending: boolean;
  /** Whether an index over a data field provides it: none of the rows lacks a value. */
  readonly indexed?: { /** The expression that is not NULL in the index. */ readonly held: string };
  /** Whether it tells rows with a value of an indexed field, which come after it, from those without. */
  readonly apart?: Apart;
}

/** An indexed field that rows may lack. */
export interface Apart {
  /** The expression that is not NULL in the index. */
  readonly held: string;
  /** It as the index orders it. */
  readonly value: string;
  /** A constant in its place for rows without a value. */
  readonly none: string;
}

/**
 * The expressions of the order's names: events replace timestamps, because log positions have the same order.
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

/** The GraphQL names. */
const GRAPHQL_NAMES: Readonly<Record<string, string>> = Object.assign(withoutPrototype<string>(), {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function refuse(orderBy: string): never {
  throw invalid(
    `order_by must be created_at, updated_at, id or data.<field>, with a leading - for descending order, several separated by commas; not ${JSON.stringify(orderBy.slice(0, 200))}`,
  );
}

/** Maximum keys of one order: each is compared for every row. */
const MAX_KEYS = 8;
/** A comma before the possible beginning of a key; a comma inside a field's name does not separate. */
const BETWEEN_KEYS = /,\s*(?=-?(?:(?:created_at|updated_at|createdAt|updatedAt|id)(?:,|$)|data\.))/;

/**
 * The keys of an order, most significant first; the last is unique. A missing field counts as null, which
 * sorts before everything else; strings sort before numbers before bools.
 * @param orderBy null for the order of creation
 * @param fields the fields of the named type, null when no type is named
 * @param kindOf the index kind of a field for which every row has a value, null for any other
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
  if (decisive >= 0) return keys.slice(0, decisive + 1); // keys after a unique one have no effect
  return [...keys, { sql: columns.created_at, type: 'bigint', descending: keys.at(-1)?.descending ?? false }];
}

/** What an OrderKey of an indexed field has for rows without a value. */
const NONE: Readonly<Partial<Record<OrderKey['type'], string>>> = {
  jsonb: `'null'::jsonb`,
  text: `''::text COLLATE "C"`,
};

/**
 * The order by one indexed field that rows may lack, and by creation: whether there is a value, the value, the creation. So
 * the rows with a value follow each other as in the index, and those without as they were created. Null for
 * any other order.
 * @param kindOf the index kind of a field, null for one without index
 * @throws DomainError `validation_failed`
 */
export function compileOrderApart(
  orderBy: string | null,
  fields: ReadonlyMap<string, unknown> | null,
  kindOf: (field: string) => IndexKind | null,
): readonly OrderKey[] | null {
  const [key, creation, ...rest] = compileOrder(orderBy, fields, kindOf);
  const none = key === undefined ? undefined : NONE[key.type];
  if (
    key?.indexed === undefined ||
    none === undefined ||
    creation?.sql !== ENTITY_ORDER.created_at ||
    creation.descending !== key.descending ||
    rest.length > 0
  )
    return null;
  const { sql: value, type, descending } = key;
  const { held } = key.indexed;
  return [
    { sql: `(${held} IS NOT NULL)::int`, type: 'bigint', descending, apart: { held, value, none } },
    { sql: `coalesce(${value}, ${none})`, type, descending },
    creation,
  ];
}

/** One key if the whole text is a field's name, including commas. */
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
