// SQL of full-text search: the index's matches are ranked, up to a number that can be ranked in time.
import { rowsAsText, type Queryable } from '../../../platform/queryable.ts';
import type { Moment } from '../reading/timeline.ts';
import { endedStates, eventsAt, stateOf, stood } from '../reading/states.ts';
import { type PageScope, whereSql } from '../entities/page-parts.ts';
import { entityColumnsSql, EVENTS, eventsFor } from '../entities/page-sql.ts';
import { JOINED_TIMES } from '../reading/column-sql.ts';
import type { SearchQuery } from './search-query.ts';
import type { EndedMatch } from './ended-matches.ts';
import type { HitRow } from './hit-row.ts';

/** Maximum matches that one search ranks: of more, the best of the first that the index returns. */
export const MAX_RANKED = 10_000;

export interface SearchRequest extends PageScope {
  readonly query: SearchQuery;
  readonly limit: number;
  readonly offset: number;
  readonly at: Moment;
  /** Score and first event of the hit before the page. */
  readonly after: { readonly score: string; readonly position: string } | null;
}

/**
 * Exact words count in addition to prefixes, so that `brain` ranks before `brainstem`; long texts rank lower.
 * The candidates are in a CTE of their own, so that their limit does not make the planner avoid the index.
 */
function searchSql(
  candidates: string,
  from: string,
  events: string,
  [limit, offset, after]: readonly [string, string, string],
): string {
  return `WITH candidate AS MATERIALIZED (${candidates}),
    ranked AS MATERIALIZED (
      SELECT r.* FROM (SELECT m.key, m.first_event, m.score, count(*) OVER () AS found FROM (
        SELECT m.key, m.first_event, (ts_rank(m.search, to_tsquery('simple', $1), 1) + ts_rank(m.search, to_tsquery('simple', $2), 1))::float8 AS score
        FROM (SELECT * FROM candidate LIMIT ${MAX_RANKED + 1}) m
      ) m) r WHERE ${after} ORDER BY r.score DESC, r.first_event LIMIT ${limit} OFFSET ${offset})
    SELECT ${entityColumnsSql(JOINED_TIMES)}, r.score, r.found, r.first_event AS position FROM ranked r JOIN ${from} ${events} ORDER BY r.score DESC, e.first_event`;
}

/** Of a moment with those of the states that have ended since that match, of the same snapshot. */
export async function searchEntities(
  pool: Queryable,
  request: SearchRequest,
  ended: readonly EndedMatch[],
): Promise<HitRow[]> {
  const { query, limit, offset, after, at } = request;
  const values: unknown[] = [
    query.matching,
    query.exact,
    limit,
    offset,
    ...(after === null ? [] : [after.score, after.position]),
  ];
  const bounds = [
    '$3::bigint',
    '$4::bigint',
    after === null
      ? 'true'
      : '(r.score < $5::float8 OR (r.score = $5::float8 AND r.first_event > $6::bigint))',
  ] as const;
  const where = whereSql(request, values);
  const present = (events: string): string =>
    `SELECT e.first_event AS key, e.first_event, e.search FROM metadata.entity e${events} WHERE e.search @@ to_tsquery('simple', $1) AND ${where}`;
  if (at === null) {
    const text = searchSql(
      present(eventsFor(request)),
      'metadata.entity e ON e.first_event = r.key',
      EVENTS,
      bounds,
    );
    return (await pool.query<HitRow>({ text, values, types: rowsAsText })).rows;
  }
  values.push(
    at,
    ended.map((e) => e.first_event),
    ended.map((e) => e.text),
  );
  const moment = `$${values.length - 2}::bigint`;
  const texts = `unnest($${values.length - 1}::bigint[], $${values.length}::text[])`;
  const past = `SELECT e.first_event AS key, e.first_event, to_tsvector('simple', t.words) AS search
    FROM ${texts} t(creation, words) JOIN ${endedStates(moment)} ON e.first_event = t.creation`;
  const states = `LATERAL (SELECT b.* FROM metadata.entity b WHERE b.first_event = r.key) b ON true CROSS JOIN ${stateOf(moment)}`;
  const text = searchSql(
    `(${present(eventsFor(request, eventsAt(moment)))} AND ${stood(moment)}) UNION ALL (${past})`,
    states,
    eventsAt(moment),
    bounds,
  );
  return (await pool.query<HitRow>({ text, values, types: rowsAsText })).rows;
}
