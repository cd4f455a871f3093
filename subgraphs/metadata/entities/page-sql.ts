// The statement of a page and of its total, from a page request: over the present table, or over the states of a moment.
import { endedStates, presentStates, stateOf, stood } from '../as-of/states.ts';
import { ENTITY_ORDER, type OrderKey } from '../filters/order.ts';
import type { PageRequest } from './page-request.ts';
import { visibleSql } from './visibility.ts';

export const ENTITY_COLUMNS_SQL = `e.id, e.entity_type, e.data, e.version, (c.timestamp AT TIME ZONE 'UTC')::text AS created_at, (u.timestamp AT TIME ZONE 'UTC')::text AS updated_at, e.is_available, e.project`;
/** The events that say when: the first and the last of `e`. */
export const EVENTS = 'JOIN metadata.provenance c ON c.position = e.first_event JOIN metadata.provenance u ON u.position = e.last_event';
/** The present row of an ended state, for what its present project hides. */
const PRESENT_OF_ENDED = 'JOIN metadata.entity b ON b.id = e.id';

export type Scope = Pick<PageRequest, 'types' | 'conditions' | 'availableOnly' | 'identity'>;

const place = (params: unknown[], value: unknown, type: string): string => `$${params.push(value)}::${type}`;

function typeSql(types: PageRequest['types'], alias: string, params: unknown[]): string[] {
  if (types === null) return [];
  return [types.length === 1 ? `${alias}.entity_type = ${place(params, types[0], 'text')}` : `${alias}.entity_type = ANY(${place(params, types, 'text[]')})`];
}

const joined = (parts: readonly string[]): string => (parts.length === 0 ? 'true' : parts.join(' AND '));

export function whereSql({ types, conditions, availableOnly, identity }: Scope, params: unknown[]): string {
  return joined([
    ...conditions.map((condition) => `(${condition(params)})`),
    ...typeSql(types, 'e', params),
    ...(availableOnly ? ['e.is_available'] : []),
    ...(identity.projects === '*' ? [] : [visibleSql(identity, 'e', params)]),
  ]);
}

/** `(k1, k2) > (v1, v2)` spelled out, so that each key may have its own direction. */
function afterSql(order: readonly OrderKey[], after: readonly string[], params: unknown[]): string {
  const refs = order.map((key, i) => place(params, after[i], key.type));
  const clauses = order.map((key, i) => {
    const equal = order.slice(0, i).map((k, j) => `${k.sql} = ${refs[j]}`);
    return [...equal, `${key.sql} ${key.descending ? '<' : '>'} ${refs[i]}`].join(' AND ');
  });
  return `(${clauses.map((c) => `(${c})`).join(' OR ')})`;
}

const orderSql = (order: readonly OrderKey[]): string => order.map((key) => `${key.sql} ${key.descending ? 'DESC' : 'ASC'}`).join(', ');
const keysSql = (order: readonly OrderKey[]): string => `json_build_array(${order.map((key) => `(${key.sql})::text`).join(', ')})::text AS order_keys`;
const boundsSql = (limit: number, offset: number, params: unknown[]): string => `LIMIT ${place(params, limit, 'bigint')} OFFSET ${place(params, offset, 'bigint')}`;

const isInsertionOrder = ([first]: readonly OrderKey[]): boolean => first?.sql === ENTITY_ORDER.created_at && !first.descending;

/** Several types in insertion order: each type's own index gives its first rows, the few are merged. */
const byType = ({ types, order, conditions }: PageRequest): boolean => types !== null && types.length > 1 && isInsertionOrder(order) && conditions.length === 0;

function presentPage(request: PageRequest, params: unknown[]): string {
  const { order, after, limit, offset, types } = request;
  const afterPart = after ? ` AND ${afterSql(order, after, params)}` : '';
  if (byType(request)) {
    const names = place(params, types, 'text[]');
    const most = place(params, limit + offset, 'bigint');
    const each = `SELECT e.* FROM unnest(${names}) t(name) CROSS JOIN LATERAL (
      SELECT * FROM metadata.entity e WHERE e.entity_type = t.name AND ${whereSql({ ...request, types: null }, params)}${afterPart} ORDER BY e.first_event LIMIT ${most}) e`;
    return `SELECT ${ENTITY_COLUMNS_SQL}, ${keysSql(order)} FROM (${each} ORDER BY e.first_event ${boundsSql(limit, offset, params)}) e ${EVENTS} ORDER BY e.first_event`;
  }
  return `SELECT ${ENTITY_COLUMNS_SQL}, ${keysSql(order)} FROM metadata.entity e ${EVENTS} WHERE ${whereSql(request, params)}${afterPart} ORDER BY ${orderSql(order)} ${boundsSql(limit, offset, params)}`;
}

// ------------------------------------------------------------------------------------------------ as of a moment

/** What an entity keeps for ever orders its present row and its states alike. */
const onPresentRow = (key: OrderKey): OrderKey | null =>
  (key.sql === ENTITY_ORDER.created_at || key.sql === ENTITY_ORDER.id ? { ...key, sql: key.sql.replace('e.', 'b.') } : null);

/** Walks the entities in order and looks up the state of each: what is asked for comes soon, whatever has changed since. */
function walkedPage(request: PageRequest, order: readonly OrderKey[], at: string, params: unknown[]): string {
  const { after, limit, offset, types, identity } = request;
  const walk = (typePart: readonly string[], bounds: string): string => {
    const conditions = joined([`b.first_event <= ${at}`, ...typePart, ...(after ? [afterSql(order, after, params)] : []), ...(identity.projects === '*' ? [] : [visibleSql(identity, 'b', params)])]);
    return `SELECT e.*, (c.timestamp AT TIME ZONE 'UTC')::text AS created_at, (u.timestamp AT TIME ZONE 'UTC')::text AS updated_at, ${keysSql(order)}
      FROM metadata.entity b CROSS JOIN ${stateOf(at)} ${EVENTS} WHERE ${conditions} AND ${whereSql({ ...request, types: null }, params)} ORDER BY ${orderSql(order)} ${bounds}`;
  };
  if (byType(request)) {
    const names = place(params, types, 'text[]');
    const each = walk(['b.entity_type = t.name'], `LIMIT ${place(params, limit + offset, 'bigint')}`);
    return `SELECT e.* FROM unnest(${names}) t(name) CROSS JOIN LATERAL (${each}) e ORDER BY e.first_event ${boundsSql(limit, offset, params)}`;
  }
  return walk(typeSql(types, 'b', params), boundsSql(limit, offset, params));
}

/** States that still stand and states that have ended, as two SELECTs with the same conditions. */
function bothKinds(request: Scope, at: string, columns: string, rest: string, params: unknown[]): [string, string] {
  const { identity } = request;
  const where = whereSql(request, params);
  const hidden = identity.projects === '*' ? '' : ` AND ${visibleSql(identity, 'b', params)}`;
  return [
    `SELECT ${columns} FROM ${presentStates} ${EVENTS} WHERE ${stood(at)} AND ${where}${rest}`,
    `SELECT ${columns} FROM ${endedStates(at)} ${EVENTS}${hidden === '' ? '' : ` ${PRESENT_OF_ENDED}`} WHERE ${where}${hidden}${rest}`,
  ];
}

/** Each kind's first rows by its own indexes, merged. */
function mergedPage(request: PageRequest, at: string, params: unknown[]): string {
  const { order, after, limit, offset } = request;
  const sorts = order.map((key, i) => `${key.sql} AS sort_${i}`).join(', ');
  const most = place(params, limit + offset, 'bigint');
  const rest = `${after ? ` AND ${afterSql(order, after, params)}` : ''} ORDER BY ${orderSql(order)} LIMIT ${most}`;
  const [standing, ended] = bothKinds(request, at, `${ENTITY_COLUMNS_SQL}, ${keysSql(order)}, ${sorts}`, rest, params);
  const merged = order.map((key, i) => `e.sort_${i} ${key.descending ? 'DESC' : 'ASC'}`).join(', ');
  return `SELECT e.* FROM ((${standing}) UNION ALL (${ended})) e ORDER BY ${merged} ${boundsSql(limit, offset, params)}`;
}

/** Containment is what the index over data answers: then candidates are few, and come from there. */
const isIndexed = ({ conditions }: PageRequest): boolean => conditions.some((condition) => condition([]).includes(' @> '));

export function pageSql(request: PageRequest, params: unknown[]): string {
  if (request.at === null) return presentPage(request, params);
  const at = place(params, request.at, 'bigint');
  const walked = request.order.map(onPresentRow).filter((key) => key !== null);
  return walked.length === request.order.length && !isIndexed(request) ? walkedPage(request, walked, at, params) : mergedPage(request, at, params);
}

/** Counts by looking at every entity that there may be. */
export function countSql(request: Scope & Pick<PageRequest, 'at'>, params: unknown[]): string {
  if (request.at === null) return `SELECT count(*) AS n FROM metadata.entity e ${EVENTS} WHERE ${whereSql(request, params)}`;
  const [standing, ended] = bothKinds(request, place(params, request.at, 'bigint'), 'count(*)', '', params);
  return `SELECT (${standing}) + (${ended}) AS n`;
}

/** Reads the count off the counts that writes keep, where type, project and availability alone decide. */
export function keptCountSql({ types, availableOnly, identity }: Scope, params: unknown[]): string {
  return `SELECT sum(n)::text AS n FROM metadata.entity_count t WHERE ${joined([
    ...typeSql(types, 't', params),
    ...(availableOnly ? ['is_available'] : []),
    ...(identity.projects === '*' ? [] : [`project = ANY(${place(params, ['', ...identity.projects], 'text[]')})`]),
  ])}`;
}
