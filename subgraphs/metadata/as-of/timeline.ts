// Instants of the past as positions of the log: what every read «as of» a time is made of
// (docs/decisions/0010-reading-the-past.md).
import { LRUCache } from 'lru-cache';
import { invalid } from '../../../platform/errors.ts';
import { canonicalInstant } from '../../../platform/instant.ts';
import type { Place } from './timeline.store.ts';

/**
 * A position of the log, as decimal text: the past is what lies at it and before. Null where the present is
 * meant.
 */
export type Moment = string | null;

export interface TimelineDeps {
  readonly placeOf: (instant: string) => Promise<Place>;
  readonly writersDone: () => Promise<void>;
}

export class Timeline {
  readonly #deps: TimelineDeps;
  /** Places that no write can change any more. */
  readonly #settled = new LRUCache<string, string>({ max: 10_000 });

  constructor(deps: TimelineDeps) {
    this.#deps = deps;
  }

  /**
   * The position that an instant means, once and for all where it lies in the past: a write that is under way
   * at that very time is waited for. Null stays null.
   * @throws DomainError `validation_failed` for what is no instant
   */
  async moment(asOf: string | null | undefined): Promise<Moment> {
    if (asOf === null || asOf === undefined) return null;
    const instant = canonicalInstant(asOf);
    if (instant === null)
      throw invalid('as_of must be a point in time with an offset, for example 2026-01-31T09:30:00.123456Z', {
        field: 'as_of',
      });
    const known = this.#settled.get(instant);
    if (known !== undefined) return known;
    let place = await this.#deps.placeOf(instant);
    if (place.isFuture) return place.position;
    if (!place.isSettled) {
      await this.#deps.writersDone(); // whoever writes after this has a later time
      place = await this.#deps.placeOf(instant);
    }
    // by this process's clock, too: the database's may be ahead for a while, and events come at or before the
    // instant yet
    const isPast = place.isSettled || Date.parse(instant) <= Date.now();
    if (isPast) this.#settled.set(instant, place.position);
    return place.position;
  }
}

/** What resolvers find of it in their context. */
export interface TimeSlice {
  readonly timeline: Timeline;
}
