// The database's time, computed from this process's monotonic clock, so that all processes agree whatever
// their wall clocks show.
import type { Queryable } from '../../../platform/queryable.ts';

/** Milliseconds for which a measurement is valid. */
const GOOD_FOR = 2000;

export async function databaseTime(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return rows[0]?.now ?? new Date();
}

export class DatabaseClock {
  readonly #db: Queryable;
  /** The database's time minus this process's monotonic time. */
  #ahead = 0;
  #measuredAt = Number.NEGATIVE_INFINITY;

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** Queries the database if the last measurement is too old. @throws if the database does not answer */
  async measure(): Promise<void> {
    const asked = performance.now();
    if (asked - this.#measuredAt < GOOD_FOR) return;
    const time = (await databaseTime(this.#db)).getTime();
    const answered = performance.now();
    this.#ahead = time - (asked + answered) / 2;
    this.#measuredAt = answered;
  }

  /** The database's time in milliseconds since 1970; call `measure` first. */
  now(): number {
    return performance.now() + this.#ahead;
  }

  /** The offset from this process's wall clock to the database's. */
  offset(): number {
    return this.now() - Date.now();
  }
}
