// The statement of an aggregate: every match is read once, groups are put together in the database.
import type { Connections } from '../../../platform/database/transaction.ts';
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { rowsAsText, instantSql } from '../../../platform/queryable.ts';
import { planOfStatement } from '../entities/plan.store.ts';
import { place, whereSql } from '../entities/page-parts.ts';
import { eachKind, eventsFor } from '../entities/page-sql.ts';
import { columnSql, JOINED_TIMES } from '../reading/column-sql.ts';
import type { Condition, Matches, PagePlan, PageRequest } from '../reading/page-request.ts';
import { withinTime } from '../within-time.ts';
import { bucketSql } from './buckets.ts';
import type { Groupable, GroupKey, ValueKind } from './groupable.ts';
import type { Having } from './having.ts';

export interface GroupsQuery extends Matches, Pick<PageRequest, 'limit' | 'offset'> {
  readonly keys: readonly GroupKey[];
  readonly measured: readonly Groupable[];
  /** Shares, from 0 to 1, for the percentiles of numbers. */
  readonly percentiles: readonly number[];
  readonly having: Having | null;
}

type JsonObject = Readonly<Record<string, unknown>>;
export interface Group {
  readonly key: JsonObject;
  readonly count: number;
  readonly measures: JsonObject;
}
export interface Groups {
  readonly groups: readonly Group[];
  readonly total: number;
}

/** The value as jsonb over `e` and its events, NULL where there is none. */
function valueSql({ name, column }: Groupable, params: unknown[]): string {
  if (column === null) return `nullif(e.data -> ${place(params, name, 'text')}, 'null')`;
  const sql = columnSql(column, JOINED_TIMES);
  return `to_jsonb(${column.type === 'instant' ? instantSql(sql) : sql})`;
}

/** Requires the events of a statement. */
const TIMES: Condition = { where: () => 'true', uses: new Set(['times']) };

function keySql(key: GroupKey, params: unknown[]): string {
  const value = valueSql(key, params);
  return key.bucket === null ? value : bucketSql(key.bucket, key.time === 'instant', value);
}

/** Every match with its values, `k0` … to group by and `m0` … to measure. */
export function valuesSql(
  query: Matches & Pick<GroupsQuery, 'keys' | 'measured'>,
  params: unknown[],
): string {
  const { keys, measured, at } = query;
  const needsTimes = [...keys, ...measured].some(({ column }) => column?.timeOf !== undefined);
  const scope = needsTimes ? { ...query, conditions: [...query.conditions, TIMES] } : query;
  const columns = [
    ...keys.map((key, i) => `${keySql(key, params)} AS k${i}`),
    ...measured.map((one, i) => `${valueSql(one, params)} AS m${i}`),
  ].join(', ');
  if (at !== null)
    return eachKind(scope, place(params, at, 'bigint'), columns, '', false, params).join(' UNION ALL ');
  const where = whereSql(scope, params);
  return `SELECT ${columns} FROM metadata.entity e${eventsFor(scope)} WHERE ${where}`;
}

// states of the past can have values of other kinds than the schema of today says
const numbers = (value: string): string =>
  `CASE WHEN jsonb_typeof(${value}) = 'number' THEN ${value}::numeric END`;
const texts = (value: string): string =>
  `(CASE WHEN jsonb_typeof(${value}) = 'string' THEN ${value} #>> '{}' END) COLLATE "C"`;

/** Members of a measure's JSON, by the kind of its values. */
const MEMBERS: Readonly<Record<ValueKind, (value: string) => string>> = {
  number: (value) =>
    ['min', 'max', 'sum', 'avg'].map((name) => `, '${name}', ${name}(${numbers(value)})`).join(''),
  text: (value) => ['min', 'max'].map((name) => `, '${name}', ${name}(${texts(value)})`).join(''),
  truth: () => '',
};

const LARGEST = '1.7976931348623157e308';
/** Each interpolated between its neighbours; NULL without any value. They share one sort. */
function percentilesSql(value: string, shares: readonly number[]): string {
  const number = `(${numbers(value)})`;
  const sorted = `ORDER BY CASE WHEN abs(${number}) <= ${LARGEST} THEN ${number}::float8 END`;
  const members = shares.map((share) => `'${share}', percentile_cont(${share}) WITHIN GROUP (${sorted})`);
  return shares.length === 0 ? '' : `, 'percentiles', json_build_object(${members.join(', ')})`;
}

const object = (names: readonly string[], params: unknown[], valueOf: (i: number) => string): string =>
  `json_build_object(${names.map((name, i) => `${place(params, name, 'text')}, ${valueOf(i)}`).join(', ')})`;

function groupsSql(query: GroupsQuery, params: unknown[]): string {
  const { keys, measured, limit, offset, percentiles, having } = query;
  const values = valuesSql(query, params);
  const byKeys = keys.map((_, i) => `k${i}`);
  const measures = object(
    measured.map(({ name }) => name),
    params,
    (i) => {
      const kind = measured[i]?.kind ?? 'truth';
      const more = kind === 'number' ? percentilesSql(`m${i}`, percentiles) : '';
      return `json_build_object('count', count(m${i}), 'distinct', count(DISTINCT m${i})${MEMBERS[kind](`m${i}`)}${more})`;
    },
  );
  const key = object(
    keys.map(({ label }) => label),
    params,
    (i) => `k${i}`,
  );
  const order = ['g.n DESC', ...byKeys.map((one) => `g.${one}`)].join(', ');
  const chosen = having === null ? 'true' : having.where(params);
  return `WITH v AS (${values}), every AS (SELECT ${[...byKeys, 'count(*) AS n', `${key} AS key`, `${measures} AS measures`].join(', ')} FROM v GROUP BY ${byKeys.length === 0 ? '()' : byKeys.join(', ')}),
    g AS (SELECT * FROM every g WHERE ${chosen})
    SELECT (SELECT count(*) FROM g) AS total, p.key, p.n, p.measures FROM (SELECT 1) one LEFT JOIN LATERAL (
      SELECT g.key::text AS key, g.n, g.measures::text AS measures, row_number() OVER (ORDER BY ${order}) AS place FROM g ORDER BY ${order} LIMIT ${Math.trunc(limit)} OFFSET ${Math.trunc(offset)}) p ON true ORDER BY p.place`;
}

/** PostgreSQL's plan for the groups. */
export function planOfGroups(pool: Connections, query: GroupsQuery): Promise<PagePlan> {
  const values: unknown[] = [];
  return planOfStatement(pool, query, groupsSql(query, values), values);
}

interface GroupRow {
  readonly total: string;
  /** Null, as are the others, where the page has no group. */
  readonly key: string | null;
  readonly n: string | null;
  readonly measures: string | null;
}

/** A sum can be larger than the numbers of JSON's readers: then it is unknown. */
const finite = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? null : value;
const parsed = (json: string): JsonObject => JSON.parse(json, finite) as JsonObject; // an object, by the statement

/** @throws DomainError `validation_failed` where it takes longer than a statement may */
export async function readGroups(pool: Connections, query: GroupsQuery): Promise<Groups> {
  const values: unknown[] = [];
  const text = groupsSql(query, values);
  const { rows } = await withinTime(
    readingFor(pool, query.identity).query<GroupRow>({ text, values, types: rowsAsText }),
  );
  return {
    total: Number(rows[0]?.total ?? 0),
    groups: rows.flatMap(({ key, n, measures }) =>
      key === null || measures === null
        ? []
        : [{ key: parsed(key), count: Number(n), measures: parsed(measures) }],
    ),
  };
}
