// What has been opened and has to be closed again: last in, first out, each once.
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

  /** Closes everything; what fails is logged and does not keep the rest open. */
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
