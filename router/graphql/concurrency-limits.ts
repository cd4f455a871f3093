// Limits how many of something one actor or one address may have at once, in one process.
import { DomainError } from '../../platform/errors.ts';

export class ConcurrencyLimits {
  readonly #taken = new Map<string, number>();
  readonly #most: number;
  readonly #what: string;

  /** `what`: streams, connections; in the plural, for the message. */
  constructor(most: number, what: string) {
    this.#most = most;
    this.#what = what;
  }

  /** Returns an idempotent function that releases the slot. @throws DomainError `rate_limit_exceeded` */
  take(whose: string): () => void {
    const taken = this.#taken.get(whose) ?? 0;
    if (taken >= this.#most)
      throw new DomainError('rate_limit_exceeded', `more than ${this.#most} concurrent ${this.#what}`, {
        limit: this.#most,
      });
    this.#taken.set(whose, taken + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.#taken.get(whose) ?? 1) - 1;
      if (left > 0) this.#taken.set(whose, left);
      else this.#taken.delete(whose);
    };
  }
}
