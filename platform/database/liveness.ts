// Notices what a process cannot mend by itself, so that `/livez` says it and the process is replaced
// (docs/decisions/0165-what-makes-livez-red.md).
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Queryable } from '../queryable.ts';
import { askAside } from './ask-aside.ts';
import { AT_WORK } from './silent-connections.ts';

/** Something that has to go on in this process. */
export interface Vital {
  /** What `/livez` calls it. */
  readonly name: string;
  /** Since when it has waited without any progress, by `performance.now()`; undefined where it does not wait. */
  stalledSince(): number | undefined;
  /** Whether the server is at work for it, so that it is only slow. @param pids the server's processes of this one */
  isAtWork?(db: Queryable, pids: readonly number[]): Promise<boolean>;
}

export interface LivenessTimes {
  /** Without progress for longer it is suspected: longer than any limit of the server that would end a wait. */
  readonly stuckMs: number;
  /** For how long the server must have answered meanwhile. */
  readonly confirmMs: number;
  readonly lookMs: number;
  /** How long the server has to answer. */
  readonly askMs: number;
}

const USUAL: LivenessTimes = { stuckMs: 150_000, confirmMs: 30_000, lookMs: 10_000, askMs: 5000 };

export interface LivenessOptions {
  readonly url: string;
  readonly applicationName: string;
  /** The server's processes of this one, as far as they are known. */
  readonly pids: () => readonly number[];
  /** Whether the server is at an address that this process cannot follow to. */
  readonly isMoved?: (() => boolean) | undefined;
  readonly log: Logger;
  readonly times?: LivenessTimes | undefined;
}

export class Liveness {
  readonly #options: LivenessOptions;
  readonly #times: LivenessTimes;
  readonly #vitals = new Set<Vital>();
  /** Since when the server has answered while it waited. */
  readonly #suspected = new Map<Vital, number>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #lookedAt = 0;
  /** When this process went on after it had been paused. */
  #awakeSince = 0;
  #stuck: string | undefined;

  constructor(options: LivenessOptions) {
    this.#options = options;
    this.#times = options.times ?? USUAL;
  }

  /** Returns a function that ends it. */
  watch(vital: Vital): () => void {
    this.#vitals.add(vital);
    this.#timer ??= setInterval(() => {
      if (this.#isLooking) return;
      this.#isLooking = true;
      void this.#look().finally(() => {
        this.#isLooking = false;
      });
    }, this.#times.lookMs).unref();
    return () => {
      this.#vitals.delete(vital);
    };
  }

  /** The name of what only another process can mend; undefined where there is nothing. */
  get stuck(): string | undefined {
    return this.#options.isMoved?.() === true ? 'database_moved' : this.#stuck;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#vitals.clear();
  }

  async #look(): Promise<void> {
    const now = performance.now();
    const stalled = this.#stalled(now);
    for (const one of this.#suspected.keys()) if (!stalled.includes(one)) this.#suspected.delete(one);
    const atWork = stalled.length === 0 ? [] : await this.#ask(stalled);
    for (const [i, one] of stalled.entries()) {
      // without the server nobody can say whether this process would go on
      if (atWork?.[i] === false) this.#suspected.set(one, this.#suspected.get(one) ?? now);
      else this.#suspected.delete(one);
    }
    const found = [...this.#suspected].find(([, since]) => now - since >= this.#times.confirmMs)?.[0].name;
    if (found !== undefined && found !== this.#stuck)
      this.#options.log.error({ stuck: found }, 'this process does not go on, and must be replaced');
    this.#stuck = found;
  }

  #stalled(now: number): readonly Vital[] {
    const { lookMs, stuckMs } = this.#times;
    if (now - this.#lookedAt > 3 * lookMs) this.#awakeSince = now;
    this.#lookedAt = now;
    return [...this.#vitals].filter((one) => {
      const since = one.stalledSince();
      return since !== undefined && now - Math.max(since, this.#awakeSince) > stuckMs;
    });
  }

  /** Of each whether the server is at work for it; undefined where the server does not answer. */
  #ask(stalled: readonly Vital[]): Promise<readonly boolean[] | undefined> {
    const { url, applicationName, pids } = this.#options;
    const asked = { url, applicationName: `${applicationName} liveness`, askMs: this.#times.askMs };
    return askAside(asked, async (client) => {
      const found: boolean[] = [];
      for (const one of stalled) found.push((await one.isAtWork?.(client, pids())) ?? false);
      return found;
    });
  }
}

const MOVED =
  'the embedded PostgreSQL was started again at another address, to which connections of this process do not lead';

/** What it is that only another process can mend, for a log. */
export const stuckReason = (stuck: string): string =>
  stuck === 'database_moved' ? MOVED : `${stuck} stand still while the database answers`;

/** Why a start failed: what it met is an address at which there is nothing any more, if the server has moved meanwhile. */
export const startFault = (database: { readonly liveness: Liveness } | undefined, met: unknown): unknown =>
  database?.liveness.stuck === 'database_moved'
    ? new Error(`${MOVED}, while it was starting: start it again`, { cause: met })
    : met;

/**
 * Whether the server is at work on a statement of this process that is none of many short ones. Not all are limited: a COMMIT
 * waits for a synchronous standby as long as it is away, while a new connection is answered.
 */
export async function isAtWork(db: Queryable, pids: readonly number[]): Promise<boolean> {
  const { rows } = await db.query<{ isAtWork: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE ${AT_WORK} AND query_start < clock_timestamp() - interval '1 s') AS "isAtWork"`,
    [pids],
  );
  return rows[0]?.isAtWork === true;
}

/** That a pool's connections go on: somebody gets one, or those who have them end statements. */
export function poolVital(pool: pg.Pool, name: string): Vital {
  let moved = performance.now();
  let asked: number | undefined;
  let isAsking = false;
  const moves = (): void => {
    moved = performance.now();
  };
  pool.on('acquire', moves);
  pool.on('connect', (client) => {
    client.on('drain', moves);
  });
  const ask = async (): Promise<void> => {
    isAsking = true;
    try {
      (await pool.connect()).release();
      asked = undefined;
    } catch {
      // nobody has given one back in time: asked again at the next look
    }
    isAsking = false;
  };
  return {
    name,
    isAtWork,
    stalledSince() {
      if (pool.idleCount > 0 || pool.totalCount < pool.options.max) return (asked = undefined);
      asked ??= performance.now();
      if (!isAsking) void ask();
      return Math.max(asked, moved);
    },
  };
}

/** Work that is under way, of which now and then a part is done. */
export class ProgressWatch {
  #underWay = 0;
  #moved = 0;

  moves(): void {
    this.#moved = performance.now();
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#underWay++ === 0) this.moves();
    try {
      return await work();
    } finally {
      this.#underWay--;
      this.moves();
    }
  }

  readonly stalledSince = (): number | undefined => (this.#underWay === 0 ? undefined : this.#moved);
}
