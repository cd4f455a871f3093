// The statement of facets: every match is read once, for all fields.
import type { Connections } from '../../../platform/database/transaction.ts';
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import type { Matches, PageRequest } from '../reading/page-request.ts';
import { withinTime } from '../within-time.ts';
import { valuesSql } from './aggregates.store.ts';
import type { Groupable } from './groupable.ts';

export interface FacetsQuery extends Matches, Pick<PageRequest, 'limit'> {
  readonly names: readonly Groupable[];
}

export interface FacetValue {
  readonly value: unknown;
  readonly count: number;
}
export interface Facet {
  readonly field: string;
  readonly values: readonly FacetValue[];
  readonly distinct: number;
  readonly missing: number;
}

/** Single values of several fields, each grouped by itself. */
function singlesSql(places: readonly number[]): string {
  const chosen = (sqlOf: (place: number) => string): string =>
    `CASE ${places.map((i) => `WHEN grouping(m${i}) = 0 THEN ${sqlOf(i)}`).join(' ')} END`;
  const sets = places.map((i) => `(m${i})`).join(', ');
  return `SELECT ${chosen(String)} AS field, ${chosen((i) => `m${i}`)} AS value, count(*) AS n FROM v GROUP BY GROUPING SETS (${sets})`;
}

/** The values in a list: an entity counts once for each, and as missing where it has none. States of the past may have single ones. */
const listSql = (i: number): string =>
  `SELECT ${i} AS field, u.item AS value, count(*) AS n FROM v
   LEFT JOIN LATERAL (SELECT DISTINCT x.item FROM jsonb_array_elements(CASE WHEN jsonb_typeof(m${i}) = 'array' THEN m${i} ELSE jsonb_build_array(m${i}) END) x(item)
     WHERE x.item <> 'null') u ON true GROUP BY u.item`;

/** Groups of each field by itself; `field` is its place. A value that is missing comes last. */
function facetsSql(query: FacetsQuery, params: unknown[]): string {
  const values = valuesSql({ ...query, keys: [], measured: query.names }, params);
  const places = query.names.map((_, i) => i);
  const singles = places.filter((i) => query.names[i]?.isList !== true);
  const groups = [
    ...(singles.length === 0 ? [] : [singlesSql(singles)]),
    ...places.filter((i) => query.names[i]?.isList === true).map(listSql),
  ];
  return `WITH v AS (${values}),
    g AS (${groups.join(' UNION ALL ')}),
    ranked AS (SELECT g.*, row_number() OVER (PARTITION BY g.field ORDER BY g.value IS NULL, g.n DESC, g.value) AS place,
      count(g.value) OVER (PARTITION BY g.field) AS different, coalesce(sum(g.n) FILTER (WHERE g.value IS NULL) OVER (PARTITION BY g.field), 0) AS missing FROM g)
    SELECT r.field, r.value::text AS value, r.n, r.different, r.missing FROM ranked r WHERE r.place <= ${Math.trunc(query.limit)} ORDER BY r.field, r.place`;
}

const asText = { getTypeParser: () => (value: unknown) => value };

interface FacetRow {
  readonly field: string;
  readonly value: string | null;
  readonly n: string;
  readonly different: string;
  readonly missing: string;
}

/** One for each name, in their order. @throws DomainError `validation_failed` as `readGroups` */
export async function readFacets(pool: Connections, query: FacetsQuery): Promise<readonly Facet[]> {
  const values: unknown[] = [];
  const text = facetsSql(query, values);
  const { rows } = await withinTime(
    readingFor(pool, query.identity).query<FacetRow>({ text, values, types: asText }),
  );
  return query.names.map(({ name }, i) => {
    const own = rows.filter(({ field }) => Number(field) === i);
    return {
      field: name,
      values: own.flatMap(({ value, n }) =>
        value === null ? [] : [{ value: JSON.parse(value) as unknown, count: Number(n) }],
      ),
      distinct: Number(own[0]?.different ?? 0),
      missing: Number(own[0]?.missing ?? 0),
    };
  });
}
