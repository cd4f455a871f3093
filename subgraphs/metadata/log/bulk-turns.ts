// How many parts of bulks are under way at once.
import { FairSlots } from '../../../platform/fair-slots.ts';
import { type AnyWrite, isMuch, MAX_STATEMENT } from './batch-parts.ts';

/** One is decided while another is written. More would overtake each other, and take the processors from everything else. */
const SLOTS = 2;

/** Each part has a turn of its own, so that bulks take turns, and those of many actors fairly. */
export class BulkTurns {
  readonly #slots = new FairSlots({ slots: SLOTS, perKey: SLOTS, waiting: Infinity });

  /** Runs the work on a part when its turn comes; at once where the part is as small as one write may be. */
  async run<T>(part: readonly AnyWrite[], work: () => Promise<T>): Promise<T> {
    const [first] = part;
    if (first === undefined || (part.length <= MAX_STATEMENT && !isMuch(part))) return work();
    const { signal } = new AbortController(); // the callers of writes do not go away
    const leave = await this.#slots.enter(first.author.actor, signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }
}
