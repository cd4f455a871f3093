// What somebody probably meant, among names that others have made: a courtesy, which may not cost much however many ask for it with however many names.
import { LRUCache } from 'lru-cache';
import { closest } from './config/closest.ts';

/** Longer words were not mistyped. */
const LONGEST_WORD = 100;
/** Milliseconds of each second that may go into it; beyond, nothing is suggested. */
const SHARE_MS = 20;

export class Suggestions {
  readonly #names: () => readonly string[];
  /** Null where nothing is near. */
  readonly #known = new LRUCache<string, { readonly name: string | null }>({ max: 500 });
  #second = 0;
  #spent = 0;

  constructor(names: () => readonly string[]) {
    this.#names = names;
  }

  /** The name nearest to the word; undefined where none is near, or there is no time to look. */
  for(word: string): string | undefined {
    if (word.length > LONGEST_WORD) return undefined;
    const known = this.#known.get(word);
    if (known) return known.name ?? undefined;
    const began = performance.now();
    const second = Math.floor(began / 1000);
    if (second !== this.#second) [this.#second, this.#spent] = [second, 0];
    if (this.#spent > SHARE_MS) return undefined;
    const near = this.#names().filter(
      (name) => Math.abs(name.length - word.length) <= Math.max(3, word.length / 3) || name.startsWith(word),
    );
    const name = closest(word, near);
    this.#known.set(word, { name: name ?? null });
    this.#spent += performance.now() - began;
    return name;
  }
}
