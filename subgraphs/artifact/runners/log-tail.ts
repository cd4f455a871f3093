// Keeps the end of a log, however long it gets.

export class LogTail {
  readonly #most: number;
  #text = '';
  #lost = false;

  /** @param most maximum characters that are kept */
  constructor(most = 64 * 1024) {
    this.#most = most;
  }

  add(chunk: Buffer): void {
    this.#text += chunk.toString('utf8').replaceAll('\u0000', '\uFFFD');
    if (this.#text.length <= this.#most * 2) return;
    this.#text = this.#text.slice(-this.#most);
    this.#lost = true;
  }

  get text(): string {
    const cut = this.#lost || this.#text.length > this.#most;
    const tail = this.#text.slice(-this.#most).toWellFormed();
    return cut ? `[…]\n${tail}` : tail;
  }
}
