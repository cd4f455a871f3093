// Suggests the name that was probably meant, among stored names. The work for suggestions is limited, whatever the
// number of requests and names.
import { LRUCache } from 'lru-cache';
import { closest } from './config/closest.ts';

/** Longer words get no suggestion. */
const MAX_WORD_LENGTH = 100;
/**
 * Pairs of characters that may be compared in a second, which takes about 20 ms; beyond that, there are no suggestions.
 * Counted, not timed: a process that waits for a processor has not worked.
 */
const SHARE = 1_000_000;

/** The end of a sentence about an unknown name: the name that was probably meant, if there is one. */
export const orMeant = (meant: string | undefined): string =>
  meant === undefined ? '' : `; did you mean ${meant}?`;

/** A key that an object must not have, quoted: names such as `type` would read as a word of the sentence. */
export const unknownKey = (key: string, known: Iterable<string>): string =>
  `unknown key ${JSON.stringify(key.slice(0, MAX_WORD_LENGTH))}${orMeant(closest(key.slice(0, MAX_WORD_LENGTH), [...known]))}`;

export class Suggestions {
  readonly #names: () => readonly string[];
  /** Cached results; null where no name is near. */
  readonly #known = new LRUCache<string, { readonly name: string | null }>({ max: 500 });
  #second = 0;
  #spent = 0;

  constructor(names: () => readonly string[]) {
    this.#names = names;
  }

  /** Returns the nearest name; undefined where none is near or the limit is reached. */
  for(word: string): string | undefined {
    if (word.length > MAX_WORD_LENGTH) return undefined;
    const known = this.#known.get(word);
    if (known) return known.name ?? undefined;
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) [this.#second, this.#spent] = [second, 0];
    if (this.#spent > SHARE) return undefined;
    const near = this.#names().filter(
      (name) => Math.abs(name.length - word.length) <= Math.max(3, word.length / 3) || name.startsWith(word),
    );
    const name = closest(word, near);
    this.#known.set(word, { name: name ?? null });
    this.#spent += near.reduce((sum, one) => sum + one.length * word.length, 0);
    return name;
  }
}
