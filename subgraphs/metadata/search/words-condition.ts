// The words of a search as a condition of a listing (docs/reference/metadata.md#search).
import { place } from '../entities/page-parts.ts';
import type { Condition, PageRequest } from '../reading/page-request.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { endedTexts } from './ended-texts.ts';
import { readQuery } from './search-query.ts';
import type { ReadEnded } from './search.store.ts';

const NOTHING: Condition = { where: () => 'false', uses: new Set() };

/**
 * Of entities that hold all words of `q`: of a moment, states that stand still are found by the index, and ended ones by
 * their words then.
 * @throws DomainError `validation_failed` for words that a search refuses, and where too many states have ended
 */
export async function wordsCondition(
  q: string,
  { types, conditions, availableOnly, identity, at }: PageRequest,
  readEnded: ReadEnded,
  catalogue: SchemaCatalogue,
): Promise<Condition> {
  const query = readQuery(q);
  if (query === null) return NOTHING;
  const matching = (params: unknown[]): string =>
    `to_tsquery('simple', ${place(params, query.matching, 'text')})`;
  if (at === null) return { where: (params) => `e.search @@ ${matching(params)}`, uses: new Set() };
  const ended = await endedTexts(readEnded, { types, conditions, availableOnly, identity }, at, catalogue);
  return {
    where(params) {
      const words = matching(params);
      const ids = place(
        params,
        ended.map(({ id }) => id),
        'text[]',
      );
      const texts = place(
        params,
        ended.map(({ text }) => text),
        'text[]',
      );
      return `e.id IN (SELECT s.id FROM metadata.entity s WHERE s.search @@ ${words} AND s.state_event <= ${place(params, at, 'bigint')}
        UNION ALL SELECT t.id FROM unnest(${ids}, ${texts}) t(id, words) WHERE to_tsvector('simple', t.words) @@ ${words})`;
    },
    uses: new Set(),
  };
}
