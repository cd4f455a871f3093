// The statement of a page, from a page request: over the present table, or over the states of a moment.
import { ENTITY_COLUMNS } from '../../../platform/entity-columns.ts';
import { endedStates, eventsAt, stateOf, statesByChange, stood } from '../reading/states.ts';
import { ENTITY_ORDER, type OrderKey } from '../reading/order.ts';
import type { EntityJson } from './entity-json.ts';
import type { Condition, PageRequest } from '../reading/page-request.ts';
import {
  columnSql,
  JOINED_TIMES,
  LOOKED_UP_TIMES,
  stateColumns,
  type TimeColumns,
} from '../reading/column-sql.ts';
import { apartRows } from './apart-sql.ts';
import {
  boundsSql,
  eachType,
  MAX_BRANCHES,
  mostSql,
  orderSql,
  type PageScope,
  place,
  sorted,
  typeSql,
  whereSql,
  joined,
} from './page-parts.ts';

/** An entity's columns under their names, as the texts of {@link EntityRow}. */
export const entityColumnsSql = (times: TimeColumns): string =>
  ENTITY_COLUMNS.map((column) => {
    const sql = columnSql(column, times);
    return column.type === 'instant' ? `(${sql} AT TIME ZONE 'UTC')::text AS ${column.name}` : sql;
  }).join(', ');
/** The events that say when: the first and the last of `e`; where they are one event it is looked up once. */
export const EVENTS = `JOIN metadata.provenance c ON c.position = e.first_event LEFT JOIN metadata.provenance l ON l.position = nullif(e.last_event, e.first_event)
  CROSS JOIN LATERAL (SELECT coalesce(l.timestamp, c.timestamp) AS timestamp) u`;
const STATE = stateColumns('e');

/**
 * The events are joined to all rows if a condition uses a timestamp; otherwise only to the rows that are
 * shown.
 */
export const eventsFor = ({ conditions }: Pick<PageScope, 'conditions'>, events: string = EVENTS): string =>
  conditions.some(({ uses }) => uses.has('times')) ? ` ${events}` : '';

/** `(k1, k2) > (v1, v2)` written out, so that each key may have its own direction. */
function afterSql({ after }: PageRequest, order: readonly OrderKey[], params: unknown[]): string {
  if (after === null) return '';
  const refs = order.map((key, i) => place(params, after[i], key.type));
  const [first] = order;
  if (first !== undefined && order.every((key) => key.descending === first.descending)) {
    // as a row comparison, which an index can seek to
    return ` AND (${order.map((key) => key.sql).join(', ')}) ${first.descending ? '<' : '>'} (${refs.join(', ')})`;
  }
  const clauses = order.map((key, i) => {
    const equal = order.slice(0, i).map((k, j) => `${k.sql} = ${refs[j]}`);
    return [...equal, `${key.sql} ${key.descending ? '<' : '>'} ${refs[i]}`].join(' AND ');
  });
  return ` AND (${clauses.map((c) => `(${c})`).join(' OR ')})`;
}

/** The sort keys of a row outside its table. */
const keysSql = (order: readonly OrderKey[]): string =>
  order.map((key, i) => `${key.sql} AS sort_${i}`).join(', ');
const isInsertionOrder = ([first]: readonly OrderKey[]): boolean =>
  first?.sql === ENTITY_ORDER.created_at && !first.descending;
/**
 * Several types in insertion order, or in that of an index over a field: each type's own index gives its
 * first rows, and these few are merged.
 */
const byType = ({ types, order, conditions }: PageRequest): boolean =>
  types !== null &&
  types.length > 1 &&
  ((isInsertionOrder(order) && conditions.length === 0) ||
    (order[0]?.indexed !== undefined && types.length <= MAX_BRANCHES));
/** The condition of a partial index, repeated so that the planner can use it. */
const heldSql = (order: readonly OrderKey[]): string =>
  order.map((key) => (key.indexed ? ` AND ${key.indexed.held} IS NOT NULL` : '')).join('');

/** A row's keys as a cursor contains them. */
const cursorSql = (order: readonly OrderKey[], alias: string): string =>
  `json_build_array(${order.map((_, i) => `${alias}.sort_${i}::text`).join(', ')})::text`;
/**
 * Rows of a page; the events are looked up for these only. With columns of their own they have `sort_…`, else
 * their keys as a cursor contains them.
 */
const shown = (
  rows: string,
  order: readonly OrderKey[],
  events: string | null,
  columns?: PageRequest['columns'],
): string => {
  const times = events === null ? LOOKED_UP_TIMES : JOINED_TIMES;
  const what =
    columns === undefined
      ? `${entityColumnsSql(times)}, ${cursorSql(order, 'e')} AS order_keys`
      : `${columns(times)}, ${order.map((_, i) => `e.sort_${i}`).join(', ')}`;
  return `SELECT ${what} FROM (${rows}) e ${events ?? ''} ${sorted(order, 'e')}`;
};
/** Limits for which statements are prepared, each with the one additional row that tells of a next page. */
const USUAL_LIMITS = new Set([10, 20, 25, 50, 100, 200, 500, 1000].flatMap((limit) => [limit, limit + 1]));
/** Whether the statement is used often and one plan fits all values. */
const isUsual = ({ conditions, offset, limit, order: [first] }: PageRequest): boolean =>
  conditions.every((one) => one.changedAfter?.isAll === true && first?.sql === ENTITY_ORDER.updated_at) &&
  offset === 0 &&
  USUAL_LIMITS.has(limit);

/**
 * Events are stamped in their order, so that an index over the last events of entities finds what has changed since a time:
 * without it the time of each entity would be looked at.
 */
const changedSql = ({ conditions }: PageRequest, params: unknown[]): string =>
  conditions
    .flatMap(({ changedAfter }) => (changedAfter ? [place(params, changedAfter.time, 'timestamptz')] : []))
    .map(
      (time) =>
        ` AND e.last_event > (SELECT coalesce((SELECT p.position FROM metadata.provenance p WHERE p.timestamp < ${time} ORDER BY p.timestamp DESC LIMIT 1), 0))`,
    )
    .join('');

function presentPage(request: PageRequest, params: unknown[]): string {
  const { order, types } = request;
  const events = isUsual(request) ? EVENTS : null;
  const apart = apartRows(request, params);
  if (apart !== null) {
    const rows = `SELECT ${STATE}, e.last_event, ${order.map((_, i) => `k.sort_${i}`).join(', ')} FROM (${apart}) k JOIN metadata.entity e ON e.first_event = k.sort_2`;
    return shown(rows, order, events, request.columns);
  }
  const select = (where: string, bounds: string): string =>
    `SELECT ${STATE}, e.last_event, ${keysSql(order)} FROM metadata.entity e${eventsFor(request)} WHERE ${where}${changedSql(request, params)}${heldSql(order)}${afterSql(request, order, params)} ${orderSql(order)} ${bounds}`;
  if (!byType(request))
    return shown(select(whereSql(request, params), boundsSql(request)), order, events, request.columns);
  return shown(
    eachType(
      types,
      select(`e.entity_type = t.name AND ${whereSql({ ...request, types: null }, params)}`, mostSql(request)),
      request,
      order,
      params,
    ),
    order,
    events,
    request.columns,
  );
}

// ------------------------------------------------------------------------------------------------ as of a
// moment

/** Columns that never change order an entity's present row and its past states alike. */
const onPresentRow = (key: OrderKey): OrderKey | null =>
  key.sql === ENTITY_ORDER.created_at || key.sql === ENTITY_ORDER.id
    ? { ...key, sql: key.sql.replace('e.', 'b.') }
    : null;

/**
 * Walks the entities in order and looks up the state of each: the first rows are found quickly, whatever has
 * changed since.
 */
function walkedPage(request: PageRequest, order: readonly OrderKey[], at: string, params: unknown[]): string {
  const { types } = request;
  const walk = (typed: readonly string[], bounds: string): string => {
    const existing = joined([`b.first_event <= ${at}`, ...typed]);
    const where = whereSql({ ...request, types: null }, params);
    return `SELECT ${STATE}, ${keysSql(order)} FROM metadata.entity b CROSS JOIN ${stateOf(at)}${eventsFor(request, eventsAt(at))} WHERE ${existing}${afterSql(request, order, params)} AND ${where} ${orderSql(order)} ${bounds}`;
  };
  if (!byType(request))
    return shown(walk(typeSql(types, 'b', params), boundsSql(request)), order, eventsAt(at), request.columns);
  return shown(
    eachType(types, walk(['b.entity_type = t.name'], mostSql(request)), request, order, params),
    order,
    eventsAt(at),
    request.columns,
  );
}

/**
 * States that are still valid and states that have ended, as SELECTs with the same conditions; `byChange`:
 * with their `last_event`.
 */
export function eachKind(
  scope: PageScope,
  at: string,
  columns: string,
  rest: string,
  byChange: boolean,
  params: unknown[],
): string[] {
  const where = whereSql(scope, params);
  const events = eventsFor(scope, eventsAt(at));
  const kinds = byChange
    ? statesByChange(at)
    : [
        { from: 'metadata.entity e', where: stood(at) },
        { from: endedStates(at), where: 'true' },
      ];
  return kinds.map(
    (kind) => `SELECT ${columns} FROM ${kind.from}${events} WHERE ${kind.where} AND ${where}${rest}`,
  );
}

/** A row of the current type of {@link eachType}. */
const OF_EACH_TYPE: Condition = { where: () => 'e.entity_type = t.name', uses: new Set() };

/** The first rows of both kinds by their own indexes, and of each type if there are several; merged. */
function mergedPage(request: PageRequest, at: string, params: unknown[]): string {
  const { order, types } = request;
  const isApart = types !== null && types.length > 1 && types.length <= MAX_BRANCHES;
  const scope = isApart
    ? { ...request, types: null, conditions: [...request.conditions, OF_EACH_TYPE] }
    : request;
  const byChange = order.some((key) => key.sql === ENTITY_ORDER.updated_at);
  const kinds = eachKind(
    scope,
    at,
    `${STATE}, ${keysSql(order)}`,
    `${afterSql(request, order, params)} ${orderSql(order)} ${mostSql(request)}`,
    byChange,
    params,
  );
  const all = `SELECT e.* FROM (${kinds.map((kind) => `(${kind})`).join(' UNION ALL ')}) e`;
  return shown(
    isApart
      ? eachType(types, all, request, order, params)
      : `${all} ${sorted(order, 'e')} ${boundsSql(request)}`,
    order,
    eventsAt(at),
    request.columns,
  );
}

/** The index over data answers containment: then there are few candidates, and they come from there. */
const isIndexed = ({ conditions }: PageRequest): boolean =>
  conditions.some(({ uses }) => uses.has('containment'));

export interface PageSql {
  readonly text: string;
  /** Whether one plan fits all values: then the statement can be prepared. */
  readonly isSteady: boolean;
}

export function pageSql(request: PageRequest, params: unknown[]): PageSql {
  const isSteady = isUsual(request);
  if (request.at === null) return { text: presentPage(request, params), isSteady };
  const at = place(params, request.at, 'bigint');
  const walked = request.order.map(onPresentRow).filter((key) => key !== null);
  if (walked.length === request.order.length && !isIndexed(request))
    return { text: walkedPage(request, walked, at, params), isSteady };
  // the number of states that have ended since the moment decides
  return { text: mergedPage(request, at, params), isSteady: false };
}

/**
 * Maximum stored bytes of a page's data that are put together into one text: larger, possibly compressed data
 * could become a text that exceeds the memory.
 */
const MAX_PAGE_BYTES = 512 * 1024;

/**
 * The page as one text, unless it is large: `json` (see entity-json.ts) of each of its first `limit − 1`
 * rows, separated by commas; whether there is a further row, and the keys of the last one shown.
 */
export function pageTextSql(request: PageRequest, json: EntityJson, params: unknown[]): PageSql {
  const maxBytes = Math.trunc(MAX_PAGE_BYTES / Math.max(1, json.dataCopies));
  const { text, isSteady } = pageSql(
    {
      ...request,
      columns: (times) =>
        `CASE WHEN sum(pg_column_size(e.data)) OVER () <= ${maxBytes} THEN ${json.sql(times)} END AS json`,
    },
    params,
  );
  const shownRows = Math.trunc(request.limit) - 1;
  return {
    isSteady,
    text: `SELECT string_agg(p.json, ',') FILTER (WHERE p.n <= ${shownRows}) AS items, count(*) > ${shownRows} AS more, count(*) > count(p.json) AS large, max(${cursorSql(request.order, 'p')}) FILTER (WHERE p.n = ${shownRows}) AS last_keys
      FROM (SELECT q.*, row_number() OVER () AS n FROM (${text}) q) p`,
  };
}
