// Serialises large writes and limits their share of the time while small writes arrive.
import { setTimeout as sleep } from 'node:timers/promises';

/** After a large write, others have the log for this many times its duration. */
const REST = 4;
const MAX_REST_MS = 20_000;
const LOOK_MS = 20;

export class LargeTurns {
  readonly #isBusy: () => boolean;
  #last: Promise<unknown> = Promise.resolve();
  #restUntil = 0;

  /** @param isBusy whether other writes are waiting: without them there is no pause */
  constructor(isBusy: () => boolean) {
    this.#isBusy = isBusy;
  }

  /** Runs the work when its turn comes, in the order of the calls. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => this.#rested()).then(() => this.#timed(work));
    this.#last = turn.catch(() => undefined); // reported to the caller
    return turn;
  }

  async #rested(): Promise<void> {
    while (performance.now() < this.#restUntil && this.#isBusy()) await sleep(LOOK_MS);
  }

  async #timed<T>(work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await work();
    } finally {
      const now = performance.now();
      this.#restUntil = now + Math.min(MAX_REST_MS, REST * (now - began));
    }
  }
}
