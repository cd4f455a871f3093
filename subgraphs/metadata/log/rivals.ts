// Whether other processes write to the log at the same time, and how long batches wait for its lock because of them.

/** Of the last batches, so many matter most. */
const REMEMBERED = 8;
/** A batch does not wait longer than this for others to be written with it. */
const MAX_GATHER_MS = 10;

/**
 * Positions that this process has not written between its own are another's. Where several processes write, the
 * batches of each are smaller, and each costs the same for itself: together they would write less than one. So each
 * has one batch under way instead of two, and gathers the next while it would wait for the lock anyway.
 */
export class Rivals {
  #last = 0n;
  /** The share of batches before which another process wrote. */
  #share = 0;
  #waitMs = 0;

  /** A batch has taken the positions `base + 1` to `base + count`; `waitMs` it had waited for the lock. */
  wrote(base: bigint, count: number, waitMs: number): void {
    this.#share += ((base === this.#last ? 0 : 1) - this.#share) / REMEMBERED;
    this.#waitMs += (waitMs - this.#waitMs) / REMEMBERED;
    this.#last = base + BigInt(count);
  }

  get #isOneOfMany(): boolean {
    return this.#share > 0.25;
  }

  /** How many batches of this process are under way at once: the second is decided while the first is written. */
  get inFlight(): number {
    return this.#isOneOfMany ? 1 : 2;
  }

  get gatherMs(): number {
    return this.#isOneOfMany ? Math.min(this.#waitMs / 2, MAX_GATHER_MS) : 0;
  }
}
