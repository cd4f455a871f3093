// Handles the messages of one connection in sequence and yields, so that no connection blocks all others.
import { setImmediate as otherTurns } from 'node:timers/promises';

/** Milliseconds of work on one connection's messages before it yields. */
const TURN_MS = 5;
/** Maximum waiting messages before reading is paused. */
const MAX_WAITING = 16;

export interface TurnsOptions<Message> {
  /** Handles one message; resolves when the next may be handled. Must not reject. */
  readonly take: (message: Message) => Promise<void>;
  /** Receives a message that is dropped. */
  readonly drop: (message: Message) => void;
  /** Pauses reading, and resumes it. */
  readonly pause: () => void;
  readonly resume: () => void;
}

export class MessageTurns<Message> {
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

  /** Drops waiting and future messages. */
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
