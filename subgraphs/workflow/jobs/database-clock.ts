// The database's time, told by this process's monotonic clock: what all processes agree on, however wrong
// their own clocks are.
import type { Queryable } from '../../../platform/queryable.ts';

/** For how long a measurement is good enough, in milliseconds. */
const GOOD_FOR = 2000;

export async function databaseTime(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return rows[0]?.now ?? new Date();
}

export class DatabaseClock {
  readonly #db: Queryable;
  /** The database's time less this process's monotonic time. */
  #ahead = 0;
  #measuredAt = Number.NEGATIVE_INFINITY;

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** Asks the database where the last answer is too old. @throws where it does not answer */
  async measure(): Promise<void> {
    const asked = performance.now();
    if (asked - this.#measuredAt < GOOD_FOR) return;
    const time = (await databaseTime(this.#db)).getTime();
    const answered = performance.now();
    this.#ahead = time - (asked + answered) / 2;
    this.#measuredAt = answered;
  }

  /** The database's time in milliseconds since 1970; `measure` has been called before. */
  now(): number {
    return performance.now() + this.#ahead;
  }

  /** What is to be added to a time of this process's wall clock to make it the database's. */
  offset(): number {
    return this.now() - Date.now();
  }
}
