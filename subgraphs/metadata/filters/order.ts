// `order_by` of a listing (contract 2): keys of an ORDER BY that never are NULL and together are unique, so that a cursor can hold them.
import { invalid } from '../../../platform/errors.ts';
import { isStorable } from './constants.ts';

export interface OrderKey {
  /** SQL over the listing's aliases, without parameters. */
  readonly sql: string;
  readonly type: 'bigint' | 'text' | 'jsonb';
  readonly descending: boolean;
}

/** Where the order's names lie: events stand for times, because the log's positions are in the order of its times. */
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
export const ENTITY_ORDER: OrderColumns = { created_at: 'e.first_event', updated_at: 'e.last_event', id: 'e.id', data: 'e.data' };

/** As GraphQL spells them. */
const GRAPHQL_NAMES: Readonly<Record<string, string>> = Object.assign(Object.create(null) as Record<string, string>, { createdAt: 'created_at', updatedAt: 'updated_at' });

const quoted = (text: string): string => `'${text.replaceAll('\'', '\'\'')}'`;

function refuse(orderBy: string): never {
  throw invalid(`order_by must be created_at, updated_at, id or data.<field>, with a leading - for descending order; not ${JSON.stringify(orderBy.slice(0, 200))}`);
}

/**
 * The keys of an order, most significant first; the last is unique. A field that is missing counts as null, which comes
 * before everything else; strings come before numbers before bools.
 * @param orderBy null for the order of creation
 * @param fields the fields of the named type, null when no type is named
 * @throws DomainError `validation_failed`
 */
export function compileOrder(orderBy: string | null, fields: ReadonlyMap<string, unknown> | null = null, columns: OrderColumns = ENTITY_ORDER): readonly OrderKey[] {
  const descending = orderBy?.startsWith('-') ?? false;
  const given = orderBy === null ? 'created_at' : descending ? orderBy.slice(1) : orderBy;
  const name = GRAPHQL_NAMES[given] ?? given;
  if (name === 'created_at' || name === 'updated_at') return [{ sql: columns[name], type: 'bigint', descending }];
  if (name === 'id') return [{ sql: columns.id, type: 'text', descending }];
  if (!name.startsWith('data.')) return refuse(name);
  const field = name.slice('data.'.length);
  if (field === '' || field.length > 128 || !isStorable(field)) return refuse(name);
  if (fields !== null && !fields.has(field)) throw invalid(`unknown field ${field}`, { field });
  return [
    { sql: `coalesce(${columns.data} -> ${quoted(field)}, 'null'::jsonb)`, type: 'jsonb', descending },
    { sql: columns.created_at, type: 'bigint', descending },
  ];
}
