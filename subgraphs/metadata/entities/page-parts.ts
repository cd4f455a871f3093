// What the statements of a page have in common: conditions, order, bounds, and a row's types.
import type { OrderKey } from '../reading/order.ts';
import type { PageRequest } from '../reading/page-request.ts';
import { visibleSql } from '../reading/visibility.ts';

export type PageScope = Pick<PageRequest, 'types' | 'conditions' | 'availableOnly' | 'identity'>;

export const place = (params: unknown[], value: unknown, type: string): string =>
  `$${params.push(value)}::${type}`;

export function typeSql(types: PageRequest['types'], alias: string, params: unknown[]): string[] {
  if (types === null) return [];
  return [
    types.length === 1
      ? `${alias}.entity_type = ${place(params, types[0], 'text')}`
      : `${alias}.entity_type = ANY(${place(params, types, 'text[]')})`,
  ];
}

export const joined = (parts: readonly string[]): string =>
  parts.length === 0 ? 'true' : parts.join(' AND ');

export function whereSql(
  { types, conditions, availableOnly, identity }: PageScope,
  params: unknown[],
): string {
  return joined([
    ...conditions.map((condition) => `(${condition.where(params)})`),
    ...typeSql(types, 'e', params),
    ...(availableOnly ? ['e.is_available'] : []),
    ...(identity.projects === '*' ? [] : [visibleSql(identity, 'e', params)]),
  ]);
}

export const orderSql = (
  order: readonly OrderKey[],
  sqlOf: (key: OrderKey, i: number) => string = (key) => key.sql,
): string =>
  `ORDER BY ${order.map((key, i) => `${sqlOf(key, i)} ${key.descending ? 'DESC' : 'ASC'}`).join(', ')}`;
export const sorted = (order: readonly OrderKey[], alias: string): string =>
  orderSql(order, (_, i) => `${alias}.sort_${i}`);
/** Validated numbers as literals: a plan for an unknown limit would assume a tenth of the table. */
export const boundsSql = ({ limit, offset }: PageRequest): string =>
  `LIMIT ${Math.trunc(limit)}${offset === 0 ? '' : ` OFFSET ${Math.trunc(offset)}`}`;
export const mostSql = ({ limit, offset }: PageRequest): string => `LIMIT ${Math.trunc(limit + offset)}`;

/** More types than this are looked up together: each would need its own scan of the index over data. */
export const MAX_BRANCHES = 8;
export const eachType = (
  types: PageRequest['types'],
  each: string,
  request: PageRequest,
  order: readonly OrderKey[],
  params: unknown[],
): string =>
  `SELECT e.* FROM unnest(${place(params, types, 'text[]')}) t(name) CROSS JOIN LATERAL (${each}) e ${sorted(order, 'e')} ${boundsSql(request)}`;
