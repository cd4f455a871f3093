// Lets long work take turns with everything else on the event loop: each turn is a small part, and between
// the groups of them others run.

/** Milliseconds of work between two moments at which others run. */
const SLICE_MS = 8;
const FIRST_GROUP = 8;
const MAX_CONCURRENT = 512;
/**
 * Bytes that the turns of one group may look at, together: as many can be parsed in a few hundredths of a
 * second.
 */
const BYTES_AT_ONCE = 1024 * 1024;

/** The turns of one who works. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #next = 0;

  /** Resolves when it is this one's turn. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length - this.#next === 1) enlist(this);
    });
  }

  /** How many turns may begin together: as many as are done in a slice, as far as is known. */
  #group = FIRST_GROUP;

  /** The largest value that a turn may have to do with, in bytes. */
  largest = 1;

  /** A group took so many milliseconds: the next is as much larger or smaller. */
  took(ms: number): void {
    this.#group = Math.max(
      1,
      Math.min(MAX_CONCURRENT, this.#group * 2, Math.round((this.#group * SLICE_MS) / Math.max(ms, 0.1))),
    );
  }

  /** Begins some of the turns, in their order. Answers whether there are more. */
  begin(): boolean {
    const end = Math.min(
      this.#waiting.length,
      this.#next + Math.max(1, Math.min(this.#group, Math.floor(BYTES_AT_ONCE / this.largest))),
    );
    while (this.#next < end) this.#waiting[this.#next++]?.();
    if (this.#next < this.#waiting.length) return true;
    this.#waiting.length = this.#next = 0;
    return false;
  }

  /** Those who wait are never called: nobody wants their work any more. */
  forget(): void {
    this.#waiting.length = this.#next = 0;
  }
}

const working: Turns[] = [];
let isScheduled = false;

function enlist(turns: Turns): void {
  working.push(turns);
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(round);
}

/** One group of turns; what they do is done by the time that the next round begins. */
function round(): void {
  const turns = working.shift();
  if (turns === undefined) {
    isScheduled = false;
    return;
  }
  const from = performance.now();
  if (turns.begin()) working.push(turns);
  setImmediate(() => {
    turns.took(performance.now() - from);
    round();
  });
}
