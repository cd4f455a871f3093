// The statement of a page's total, exact or up to a number, from a page request.
import type { PageRequest } from '../reading/page-request.ts';
import { joined, type PageScope, place, typeSql, whereSql } from './page-parts.ts';
import { eachKind, eventsFor } from './page-sql.ts';

/** Counts by scanning the entities. */
export function countSql(request: PageScope & Pick<PageRequest, 'at'>, params: unknown[]): string {
  if (request.at === null) {
    const where = whereSql(request, params);
    return `SELECT count(*) AS n FROM metadata.entity e${eventsFor(request)} WHERE ${where}`;
  }
  return `SELECT ${eachKind(request, place(params, request.at, 'bigint'), 'count(*)', '', false, params)
    .map((kind) => `(${kind})`)
    .join(' + ')} AS n`;
}

/** Every row that a count counts. */
export function matchingSql(request: PageScope & Pick<PageRequest, 'at'>, params: unknown[]): string {
  if (request.at === null) {
    const where = whereSql(request, params);
    return `SELECT 1 FROM metadata.entity e${eventsFor(request)} WHERE ${where}`;
  }
  return eachKind(request, place(params, request.at, 'bigint'), '1', '', false, params).join(' UNION ALL ');
}

/** Counts the present rows up to `most`. */
export function countUpToSql(scope: PageScope, most: number, params: unknown[]): string {
  const where = whereSql(scope, params);
  return `SELECT count(*) AS n FROM (SELECT 1 FROM metadata.entity e${eventsFor(scope)} WHERE ${where} LIMIT ${Math.trunc(most)}) c`;
}

/** Reads the count from the stored counts, if only type, project and availability decide. */
export function keptCountSql({ types, availableOnly, identity }: PageScope, params: unknown[]): string {
  return `SELECT sum(n)::text AS n FROM metadata.entity_count t WHERE ${joined([
    ...typeSql(types, 't', params),
    ...(availableOnly ? ['is_available'] : []),
    ...(identity.projects === '*'
      ? []
      : [`project = ANY(${place(params, ['', ...identity.projects], 'text[]')})`]),
  ])}`;
}
