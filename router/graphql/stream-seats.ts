// How many operations one actor may have under way on connections that stay open, in one process.
import { DomainError } from '../../platform/errors.ts';

const MOST = 100;

export class StreamSeats {
  readonly #taken = new Map<string, number>();

  /** Answers the way to give the seat back, which counts once. @throws DomainError `rate_limit_exceeded` */
  take(actor: string): () => void {
    const taken = this.#taken.get(actor) ?? 0;
    if (taken >= MOST) throw new DomainError('rate_limit_exceeded', `more than ${MOST} streams at once`, { limit: MOST });
    this.#taken.set(actor, taken + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.#taken.get(actor) ?? 1) - 1;
      if (left > 0) this.#taken.set(actor, left);
      else this.#taken.delete(actor);
    };
  }
}
