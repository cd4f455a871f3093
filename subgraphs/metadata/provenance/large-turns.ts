// Large work at the one door: one after the other, and while small work comes, no more than a share of the
// time.
import { setTimeout as sleep } from 'node:timers/promises';

/** After large work, others have the door for so many times as long as it took. */
const REST = 4;
const MAX_REST_MS = 20_000;
const LOOK_MS = 20;

export class LargeTurns {
  readonly #isBusy: () => boolean;
  #last: Promise<unknown> = Promise.resolve();
  #restUntil = 0;

  /** @param isBusy whether there is other work that would wait: without it nothing rests */
  constructor(isBusy: () => boolean) {
    this.#isBusy = isBusy;
  }

  /** Runs the work when it is its turn, in the order of asking. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => this.#rested()).then(() => this.#timed(work));
    this.#last = turn.catch(() => undefined); // told to whoever asked
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
