// Which states hold the words of a search, of any time: their words are not stored, but made with today's schemas.
import type { Queryable } from '../../../platform/queryable.ts';
import { inTurns } from '../../../platform/turns.ts';
import type { EntityRecord } from '../reading/entity-record.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { searchText } from '../search-text.ts';
import type { SearchQuery } from './search-query.ts';

/** Of no words that can match, null: none. */
export type WordsCheck = (
  query: SearchQuery | null,
  states: readonly EntityRecord[],
) => Promise<ReadonlySet<EntityRecord>>;

/** The places in `texts` of those that hold the words, as the index would find them. */
export async function textsHolding(
  db: Queryable,
  matching: string,
  texts: readonly string[],
): Promise<readonly number[]> {
  const { rows } = await db.query<{ n: number }>(
    `SELECT (t.n - 1)::int AS n FROM unnest($1::text[]) WITH ORDINALITY t(words, n) WHERE to_tsvector('simple', t.words) @@ to_tsquery('simple', $2)`,
    [texts, matching],
  );
  return rows.map(({ n }) => n);
}

export async function statesHolding(
  db: Queryable,
  query: SearchQuery | null,
  states: readonly EntityRecord[],
  catalogue: SchemaCatalogue,
): Promise<ReadonlySet<EntityRecord>> {
  if (query === null || states.length === 0) return new Set();
  const texts = await inTurns(states, (state) => {
    const type = catalogue.get(state.entityType);
    return type === undefined ? '' : searchText(type, state.data);
  });
  const found = await textsHolding(db, query.matching, texts);
  return new Set(found.flatMap((n) => states[n] ?? []));
}
