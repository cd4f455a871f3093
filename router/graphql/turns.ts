// The messages of one connection, one after the other, so that no connection keeps the process from all
// others.
import { setImmediate as otherTurns } from 'node:timers/promises';

/** Milliseconds of work on one connection's messages before others have their turn. */
const TURN_MS = 5;
/** How many may wait before no more are read. */
const MAX_WAITING = 16;

export interface TurnsOptions<Message> {
  /** Deals with one; resolves when the next may be dealt with. May not reject. */
  readonly take: (message: Message) => Promise<void>;
  /** Told of one that is not dealt with. */
  readonly drop: (message: Message) => void;
  /** Stops reading, and goes on with it. */
  readonly pause: () => void;
  readonly resume: () => void;
}

export class Turns<Message> {
  readonly #options: TurnsOptions<Message>;
  readonly #waiting: Message[] = [];
  #isBusy = false;
  #isOver = false;

  constructor(options: TurnsOptions<Message>) {
    this.#options = options;
  }

  add(message: Message): void {
    if (this.#isOver) return this.#options.drop(message);
    this.#waiting.push(message);
    if (this.#waiting.length === MAX_WAITING) this.#options.pause();
    if (!this.#isBusy) void this.#work();
  }

  /** Nothing that waits, or comes yet, is dealt with. */
  end(): void {
    this.#isOver = true;
    for (const message of this.#waiting.splice(0)) this.#options.drop(message);
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    let began = performance.now();
    for (let message = this.#waiting.shift(); message !== undefined; message = this.#waiting.shift()) {
      await this.#options.take(message);
      if (performance.now() - began < TURN_MS) continue;
      await otherTurns();
      began = performance.now();
    }
    this.#isBusy = false;
    this.#options.resume();
  }
}
