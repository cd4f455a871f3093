// The rows of a page in the order of an indexed field that entities may lack: an index over the field has those
// with a value in order, and the order of creation is that of the others.
import type { Apart } from '../reading/order.ts';
import type { PageRequest } from '../reading/page-request.ts';
import {
  boundsSql,
  eachType,
  MAX_BRANCHES,
  mostSql,
  place,
  sorted,
  typeSql,
  whereSql,
  joined,
} from './page-parts.ts';

/** Of so many entities, the first, it is seen whether one lacks a value before the others are counted. */
const FIRST = 1000;

/**
 * Whether any entity of the types lacks a value, as SQL. Where none does, all have to be looked at to know it; the fastest
 * way is to count the index, which has an entry for each value.
 */
const anyLacks = (held: string, typed: (alias: string) => string): string =>
  `(EXISTS (SELECT FROM (SELECT e.data FROM metadata.entity e WHERE ${typed('e')} ORDER BY e.first_event LIMIT ${FIRST}) e WHERE ${held} IS NULL)
    OR (SELECT count(*) FROM metadata.entity e WHERE ${typed('e')} AND ${held} IS NOT NULL) IS DISTINCT FROM (SELECT sum(n.n) FROM metadata.entity_count n WHERE ${typed('n')}))`;

/** The keys of the rows with and of those without a value: the second kind is read where the first has too few. */
function rowsOfTypes(
  request: PageRequest,
  { held, value, none }: Apart,
  typed: (alias: string) => string,
  params: unknown[],
): string {
  const { after, order } = request;
  const [flag, key] = order;
  const descending = flag?.descending === true;
  const [direction, beyond] = descending ? ['DESC', '<'] : ['ASC', '>'];
  const where = joined([typed('e'), whereSql({ ...request, types: null }, params)]);
  const rows = (keys: string, by: string, more: readonly string[]): string =>
    `SELECT ${keys}, e.first_event AS sort_2 FROM metadata.entity e WHERE ${joined([where, ...more])} ORDER BY ${by}e.first_event ${direction} ${mostSql(request)}`;
  const isAfterValue = after === null ? null : after[0] !== '0';
  const creation = after === null ? '' : place(params, after[2], 'bigint');
  const valued = (...more: string[]): string =>
    rows(`1 AS sort_0, ${value} AS sort_1`, `${value} ${direction}, `, [
      `${held} IS NOT NULL`,
      ...(isAfterValue === true && key !== undefined
        ? [`(${value}, e.first_event) ${beyond} (${place(params, after?.[1], key.type)}, ${creation})`]
        : []),
      ...more,
    ]);
  const lacking = (...more: string[]): string =>
    rows(`0 AS sort_0, ${none} AS sort_1`, '', [
      `${held} IS NULL`,
      ...(isAfterValue === false ? [`e.first_event ${beyond} ${creation}`] : []),
      // conditions leave fewer to look at
      ...(after?.[0] !== '0' && request.conditions.length === 0 ? [anyLacks(held, typed)] : []),
      ...more,
    ]);
  const [first, second] = descending ? [valued, lacking] : [lacking, valued];
  if (isAfterValue !== null && isAfterValue !== descending) return second();
  return `WITH one AS MATERIALIZED (${first()}), other AS (${second(`(SELECT count(*) FROM one) < ${Math.trunc(request.limit + request.offset)}`)}) TABLE one UNION ALL TABLE other`;
}

/** The keys of a page's rows as `sort_0`, `sort_1` and `sort_2`; null for a page in another order, or of the past. */
export function apartRows(request: PageRequest, params: unknown[]): string | null {
  const { types, order, at } = request;
  const apart = order[0]?.apart;
  if (apart === undefined || at !== null) return null;
  if (types !== null && types.length > 1 && types.length <= MAX_BRANCHES)
    return eachType(
      types,
      rowsOfTypes(request, apart, (alias) => `${alias}.entity_type = t.name`, params),
      request,
      order,
      params,
    );
  const rows = rowsOfTypes(request, apart, (alias) => joined(typeSql(types, alias, params)), params);
  return `SELECT * FROM (${rows}) e ${sorted(order, 'e')} ${boundsSql(request)}`;
}
