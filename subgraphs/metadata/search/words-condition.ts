// The words of a search as a condition of a listing (docs/reference/metadata.md#search).
import type { Queryable } from '../../../platform/queryable.ts';
import { joined, place, typeSql } from '../entities/page-parts.ts';
import type { Condition, Matches } from '../reading/page-request.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { endedMatches } from './ended-matches.ts';
import { readQuery, type SearchQuery } from './search-query.ts';

const NOTHING: Condition = { where: () => 'false', uses: new Set() };

/**
 * Maximum entities that are found by their words before the statement: its planner cannot tell a rare word from a
 * frequent one, and would look for a rare one in each entity of the type in turn.
 */
const FEW = 10_000;

/**
 * Of entities that hold all words of `q`: of a moment, states that stand still are found by the index, and ended ones by
 * their words then.
 * @throws DomainError `validation_failed` for words that a search refuses
 */
export function wordsCondition(q: string, catalogue: () => SchemaCatalogue): Condition {
  const query = readQuery(q);
  if (query === null) return NOTHING;
  return {
    where() {
      throw new Error('the words of a search are looked up first');
    },
    uses: new Set(),
    settle: (db, beside) => settleWords(db, query, beside, catalogue()),
  };
}

/** @throws DomainError `validation_failed` where too many states have ended */
async function settleWords(
  db: Queryable,
  { matching }: SearchQuery,
  beside: Matches,
  catalogue: SchemaCatalogue,
): Promise<Condition> {
  const { types, at, identity } = beside;
  const words = (params: unknown[]): string => `to_tsquery('simple', ${place(params, matching, 'text')})`;
  // in a CTE of its own, so that the limit does not make the planner avoid the index
  const standing = (params: unknown[]): string =>
    `SELECT s.first_event FROM metadata.entity s WHERE ${joined([
      `s.search @@ ${words(params)}`,
      ...(at === null ? [] : [`s.state_event <= ${place(params, at, 'bigint')}`]),
      ...typeSql(types, 's', params),
    ])}`;
  const lookup = (params: unknown[]): string =>
    `WITH found AS MATERIALIZED (${standing(params)}) SELECT first_event::text FROM found LIMIT ${FEW + 1}`;
  const values: unknown[] = [];
  const { rows } = await db.query<{ first_event: string }>(lookup(values), values);
  const ended: string[] = [];
  if (at !== null)
    for await (const { first_event } of endedMatches(db, { ...beside, at }, matching, catalogue))
      ended.push(first_event);
  if (rows.length <= FEW) {
    const found = [...rows.map(({ first_event }) => first_event), ...ended];
    const bytes = found.reduce((sum, { length }) => sum + length, 0);
    if (identity.budget?.read(bytes) === false) throw identity.budget.reason;
    return {
      where: (params) => `e.first_event = ANY(${place(params, found, 'bigint[]')})`,
      uses: new Set(['containment']),
      lookup,
    };
  }
  if (at === null) return { where: (params) => `e.search @@ ${words(params)}`, uses: new Set(), lookup };
  return {
    where: (params) =>
      `e.first_event IN (${standing(params)} UNION ALL SELECT unnest(${place(params, ended, 'bigint[]')}))`,
    uses: new Set(['containment']),
    lookup,
  };
}
