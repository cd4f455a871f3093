// Maps past instants to log positions, on which every read as of a time is based
// (docs/decisions/0010-reading-the-past.md).
import { LRUCache } from 'lru-cache';
import { invalid } from '../../../platform/errors.ts';
import type { Caller } from '../../../platform/identity.ts';
import { canonicalInstant } from '../../../platform/instant.ts';
import type { Place } from './timeline.store.ts';

/** A position of the log, as decimal text: the past consists of the events up to it. Null for the present. */
export type Moment = string | null;

export interface TimelineDeps {
  readonly placeOf: (instant: string) => Promise<Place>;
  readonly writersDone: () => Promise<void>;
}

export class Timeline {
  readonly #deps: TimelineDeps;
  /** Positions that no write can change any more. */
  readonly #settled = new LRUCache<string, string>({ max: 10_000 });
  /** How often they were forgotten: a position that was read before that is not kept. */
  #era = 0;

  constructor(deps: TimelineDeps) {
    this.#deps = deps;
  }

  /** Another server may have assigned the positions anew: they are looked up again. */
  forget(): void {
    this.#era++;
    this.#settled.clear();
  }

  /** Like {@link moment}, and for the present the position of the newest event. */
  async position(instant: string | null): Promise<string> {
    return (await this.moment(instant)) ?? (await this.#deps.placeOf('infinity')).position;
  }

  /**
   * The position of an instant, final for instants in the past: a write in progress at that very time is
   * waited for. Null stays null.
   * @throws DomainError `validation_failed` for an invalid instant
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
    const era = this.#era;
    let place = await this.#deps.placeOf(instant);
    if (place.isFuture) return place.position;
    if (!place.isSettled) {
      await this.#deps.writersDone(); // later writes get a later timestamp
      place = await this.#deps.placeOf(instant);
    }
    // also by this process's clock: if the database's clock is ahead for a while, later events may still be
    // at or before the instant
    const isPast = place.isSettled || Date.parse(instant) <= Date.now();
    if (isPast && era === this.#era) this.#settled.set(instant, place.position);
    return place.position;
  }
}

/** The instants of one operation as positions. */
export interface Instants {
  moment(asOf: string | null | undefined): Promise<Moment>;
  position(instant: string | null): Promise<string>;
}

/** What names no instant is of the operation's, if that has one. */
export const instantsOf = (timeline: Timeline, { asOf }: Pick<Caller, 'asOf'>): Instants =>
  asOf === undefined
    ? timeline
    : {
        moment: (own) => timeline.moment(own ?? asOf),
        position: (own) => timeline.position(own ?? asOf),
      };

/** The slice of the resolvers' context. */
export interface TimeSlice {
  readonly timeline: Instants;
}
