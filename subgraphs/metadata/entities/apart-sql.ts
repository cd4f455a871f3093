// The rows of a page in the order of an indexed field that entities may lack: an index over the field has those
// with a value in order, and the order of creation is that of the others.
import type { Apart } from '../reading/order.ts';
import { NEWEST_EVENT } from '../reading/log-server.ts';
import type { Lacking, PageRequest } from '../reading/page-request.ts';
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

/**
 * What is known of the entities without a value, as SQL over `e`: whether it holds for the log that the statement sees, and
 * the conditions of two kinds of entities, which the order of creation has up to `upTo`: those that were found, and those
 * that have changed since.
 */
function knownSql({ mark, creations, upTo }: Lacking, params: unknown[]) {
  const found = `e.first_event = ANY(${place(params, creations, 'bigint[]')})`;
  const placed = place(params, mark, 'text');
  const [position = '0'] = mark.split(' ');
  const end = upTo === null ? null : place(params, upTo, 'bigint');
  return {
    holds: NEWEST_EVENT.holds.replaceAll('$1', () => placed),
    end,
    kinds: [
      [found],
      [
        `e.last_event > ${place(params, position, 'bigint')}`,
        `NOT ${found}`,
        ...(end === null ? [] : [`e.first_event <= ${end}`]),
      ],
    ],
  };
}

/**
 * The creations of up to `most` entities of the types without a value, as an array of texts: all of the types, or of what is
 * known those that still lack it and those that came to; null where what is known is of another log.
 */
export function lackingSql(
  { types, order }: PageRequest,
  lacking: Lacking | undefined,
  most: number,
  params: unknown[],
): string {
  const held = order[0]?.apart?.held ?? 'NULL';
  const where = joined([...typeSql(types, 'e', params), `${held} IS NULL`]);
  const rows = (more: readonly string[]): string =>
    `SELECT e.first_event FROM metadata.entity e WHERE ${joined([where, ...more])}`;
  const listed = (all: string): string =>
    `SELECT coalesce(array_agg(l.first_event::text ORDER BY l.first_event), '{}') FROM (${all} ORDER BY first_event LIMIT ${Math.trunc(most)}) l`;
  if (lacking === undefined) return listed(rows([]));
  const { holds, kinds } = knownSql(lacking, params);
  return `CASE WHEN ${holds} THEN (${listed(kinds.map((kind) => rows(kind)).join(' UNION ALL '))}) END`;
}

/** The keys of the rows with and of those without a value: the second kind is read where the first has too few. */
function rowsOfTypes(
  request: PageRequest,
  { held, value, none }: Apart,
  typed: (alias: string) => string,
  params: unknown[],
): string {
  const { after, order, lacking: kept } = request;
  const [flag, key] = order;
  const descending = flag?.descending === true;
  const [direction, beyond] = descending ? ['DESC', '<'] : ['ASC', '>'];
  const where = joined([typed('e'), whereSql({ ...request, types: null }, params)]);
  const most = Math.trunc(request.limit + request.offset);
  const selected = (keys: string, more: readonly string[]): string =>
    `SELECT ${keys}, e.first_event AS sort_2 FROM metadata.entity e WHERE ${joined([where, ...more])}`;
  const isAfterValue = after === null ? null : after[0] !== '0';
  const creation = after === null ? '' : place(params, after[2], 'bigint');
  const valued = (...more: string[]): string =>
    `${selected(`1 AS sort_0, ${value} AS sort_1`, [
      `${held} IS NOT NULL`,
      ...(isAfterValue === true && key !== undefined
        ? [`(${value}, e.first_event) ${beyond} (${place(params, after?.[1], key.type)}, ${creation})`]
        : []),
      ...more,
    ])} ORDER BY ${value} ${direction}, e.first_event ${direction} ${mostSql(request)}`;
  const without = (...more: string[]): string =>
    selected(`0 AS sort_0, ${none} AS sort_1`, [
      `${held} IS NULL`,
      ...(isAfterValue === false ? [`e.first_event ${beyond} ${creation}`] : []),
      ...more,
    ]);
  const walked = (...more: string[]): string =>
    `${without(...more)} ORDER BY e.first_event ${direction} ${mostSql(request)}`;
  const lacking = (...more: string[]): string => {
    // a cut list has the first ones
    const known = kept === undefined || (descending && kept.upTo !== null) ? null : knownSql(kept, params);
    if (known === null) return walked(...more);
    const rows = known.kinds
      .map((kind) => without(...kind, '(SELECT holds FROM sound)', ...more))
      .join(' UNION ALL ');
    const goesOn =
      known.end === null
        ? ['NOT (SELECT holds FROM sound)']
        : [
            `(NOT (SELECT holds FROM sound) OR (SELECT count(*) FROM known) < ${most})`,
            `e.first_event > (SELECT CASE WHEN holds THEN ${known.end} ELSE 0 END FROM sound)`,
          ];
    return `WITH sound AS MATERIALIZED (SELECT ${known.holds} AS holds),
      known AS MATERIALIZED (SELECT * FROM (${rows}) k ORDER BY sort_2 ${direction} LIMIT ${most})
      TABLE known UNION ALL (${walked(...goesOn, ...more)})`;
  };
  const [first, second] = descending ? [valued, lacking] : [lacking, valued];
  if (isAfterValue !== null && isAfterValue !== descending) return second();
  return `WITH one AS MATERIALIZED (${first()}), other AS (${second(`(SELECT count(*) FROM one) < ${most}`)}) TABLE one UNION ALL TABLE other`;
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
