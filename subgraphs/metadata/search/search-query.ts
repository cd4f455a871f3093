// Converts search words to a query that PostgreSQL's parser always accepts.
import { invalid } from '../../../platform/errors.ts';
import { searchableWords } from '../search-text.ts';

/**
 * Exact words and, for matching, the same with the last one as a prefix; both are input of
 * `to_tsquery('simple', …)`.
 */
export interface SearchQuery {
  readonly exact: string;
  readonly matching: string;
}

const LIMITS = { characters: 10_000, words: 64 } as const;
/** A tsvector does not store longer words (2046 bytes; up to four per character). */
const MAX_WORD_LENGTH = 500;

/**
 * Null if nothing can match: no word, or one that is too long to be stored.
 * @throws DomainError `validation_failed`
 */
export function readQuery(q: string): SearchQuery | null {
  if (q.trim() === '') throw invalid('q is required', { field: 'q' });
  if (q.length > LIMITS.characters)
    throw invalid(`q must be at most ${LIMITS.characters} characters`, { field: 'q' });
  const words = [...new Set(searchableWords(q).split(' '))].filter((word) => word !== '');
  if (words.length > LIMITS.words) throw invalid(`q must be at most ${LIMITS.words} words`, { field: 'q' });
  if (words.length === 0 || words.some((word) => word.length > MAX_WORD_LENGTH)) return null;
  const exact = words.map((word) => `'${word}'`).join(' & '); // letters and digits only: nothing to escape
  return { exact, matching: `${exact}:*` };
}
