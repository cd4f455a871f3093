// Closes opened resources in reverse order, each once.
import type { Logger } from 'pino';

export class Releasers {
  readonly #log: Logger;
  #stack: { name: string; release: () => Promise<void> }[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  add(name: string, release: () => Promise<void>): void {
    this.#stack.push({ name, release });
  }

  /** Closes everything. A failure is logged and does not prevent closing the rest. */
  async run(): Promise<void> {
    for (let next = this.#stack.pop(); next; next = this.#stack.pop()) {
      try {
        await next.release();
      } catch (err) {
        this.#log.error({ err }, `${next.name} could not be closed`);
      }
    }
  }
}
