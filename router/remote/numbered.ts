// What a connection has been told once and is called by its number from then on.

export class Numbered<Key> {
  readonly #max: number;
  readonly #numbers = new Map<Key, number>();
  readonly #keys: Key[] = [];
  #next = 0;

  /** @param max numbers at one time; beyond that the oldest is used again */
  constructor(max: number) {
    this.#max = max;
  }

  /** Its number; undefined where it has none yet. */
  get(key: Key): number | undefined {
    return this.#numbers.get(key);
  }

  /** Gives it a number, which means nothing else from now on. */
  add(key: Key): number {
    const number = this.#next++ % this.#max;
    const before = this.#keys[number];
    if (this.#keys.length > number && before !== undefined) this.#numbers.delete(before);
    this.#keys[number] = key;
    this.#numbers.set(key, number);
    return number;
  }
}
