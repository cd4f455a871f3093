// Reads that go to hot standbys of the primary, each answered as the primary would answer it. A standby is asked where it
// stands each time: what counts is what it shows, not what it has been sent (docs/decisions/0150-reads-by-replicas.md).
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { shareEqual } from '../coalesce.ts';
import { gauge, tallies } from '../metrics/process-metrics.ts';
import { isStoreAway } from '../store-away.ts';
import { lend } from './lent-connection.ts';
import { beginAtPlace, type CommitMark, showsCommit, type ServerStanding, standingOf } from './standing.ts';
import type { Connections } from './transaction.ts';
import { systemErrorCode } from '../system-error-code.ts';

/**
 * Runs a read where it may be answered from; it may run twice, so it must not keep anything of the first time but, of the
 * last, a connection of it that goes on with its transaction. One that is exact has no part in the lag that answers may have.
 */
export type Reads = <T>(read: (on: Connections) => Promise<T>, isExact?: boolean) => Promise<T>;

/** `behind`: it had not replayed enough in time. `foreign`: another database, or another history of this one. */
const STATES = ['unknown', 'used', 'behind', 'lost', 'foreign', 'promoted'] as const;
type State = (typeof STATES)[number];

/** A replica that was left out is tried again after this time, beside the reads. */
const AGAIN_MS = 1000;
/** How long a read waits for a replica to replay what it must show: longer than the primary would take. */
const REPLAY_MS = 10;
/** A replica answers where it stands within this time, or is left out. */
const ANSWER_MS = 1000;

const served = tallies(
  'cairn_database_reads_total',
  'Reads that replicas may take, by who took them.',
  'by',
  ['replica', 'primary'],
);
const all = new Set<Replica>();
gauge(
  'cairn_database_replicas',
  'Servers of database.read_urls, by state.',
  () =>
    [...all].flatMap(({ name, state }) =>
      STATES.map((one) => ({ labels: { replica: name, state: one }, value: Number(one === state) })),
    ),
  { labels: ['replica', 'state'] },
);

class Replica {
  state: State = 'unknown';
  isTried = false;
  #again = 0;
  readonly name: string;
  readonly pool: Pool;
  readonly #log: Logger;

  constructor(name: string, pool: Pool, log: Logger) {
    [this.name, this.pool, this.#log] = [name, pool, log];
  }

  get isDue(): boolean {
    return !this.isTried && performance.now() >= this.#again;
  }

  becomes(state: State, err?: unknown): void {
    if (state !== 'used') this.#again = performance.now() + AGAIN_MS;
    if (state === this.state) return;
    const told = { replica: this.name, state, ...(err === undefined ? {} : { err }) };
    if (state === 'used') this.#log.info(told, 'a replica takes reads');
    else this.#log.warn(told, 'a replica is left out of reads');
    this.state = state;
  }
}

/** The read could not be made there; the primary answers it. */
class NotThere extends Error {
  readonly state: State;
  constructor(state: State, cause?: unknown) {
    super(`the replica is ${state}`, { cause });
    this.state = state;
  }
}

/** SQLSTATE of a statement that was cancelled because replaying had to go on, and of one that blocked it. */
const CONFLICTS = ['40001', '40P01'];
export const isConflict = (thrown: unknown): boolean => CONFLICTS.includes(systemErrorCode(thrown) ?? '');

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const late = sleep(ANSWER_MS, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw new NotThere('lost');
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    late.catch(() => undefined); // it is not waited for any more
    ended.abort();
  }
}

/** Why the replica's history is not the primary's; undefined where it is. */
function unlike(there: ServerStanding, primary: ServerStanding): State | undefined {
  if (there.place === null) return 'promoted';
  return there.system === primary.system && there.timeline === primary.timeline ? undefined : 'foreign';
}

interface Asked {
  readonly mark: CommitMark;
  readonly standing: () => Promise<ServerStanding>;
  readonly isExact: boolean;
}

export interface ReplicaOptions {
  readonly replicas: readonly {
    /** What metrics and messages call it. */
    readonly name: string;
    readonly pool: Pool;
  }[];
  readonly primary: Pool;
  /** Milliseconds by which answers may be older than the primary's; 0: not at all. */
  readonly maxLagMs: number;
  readonly log: Logger;
}

export class Replicas {
  readonly #replicas: readonly Replica[];
  readonly #primary: Pool;
  readonly #maxLagMs: number;
  #turn = 0;

  constructor({ replicas, primary, maxLagMs, log }: ReplicaOptions) {
    this.#replicas = replicas.map(({ name, pool }) => new Replica(name, pool, log));
    this.#primary = primary;
    this.#maxLagMs = maxLagMs;
    for (const one of this.#replicas) all.add(one);
  }

  reads(mark: CommitMark): Reads {
    const exactly: Asked = { mark, standing: this.#standing(mark), isExact: true };
    const usually: Asked =
      this.#maxLagMs === 0 ? exactly : { mark, standing: this.#looseStanding(mark), isExact: false };
    return async (read, isExact = false) => {
      const replica = this.#choose((one) => this.#attempt(one, usually, () => Promise.resolve()));
      if (replica !== undefined) {
        try {
          const answer = await this.#attempt(replica, isExact ? exactly : usually, read);
          served.replica.value++;
          return answer;
        } catch (error) {
          if (!(error instanceof NotThere)) throw error;
        }
      }
      served.primary.value++;
      return read(this.#primary);
    };
  }

  close(): void {
    for (const one of this.#replicas) all.delete(one);
  }

  /** In turn; those that were left out are tried beside the reads. */
  #choose(attempt: (replica: Replica) => Promise<unknown>): Replica | undefined {
    for (const one of this.#replicas)
      if (one.state !== 'used' && one.isDue) {
        one.isTried = true;
        attempt(one)
          .catch(() => undefined) // its state tells
          .finally(() => (one.isTried = false));
      }
    const used = this.#replicas.filter(({ state }) => state === 'used');
    return used[this.#turn++ % used.length];
  }

  /** Where the primary stands: asked after the read was, by all reads of a tick together. */
  #standing(mark: CommitMark): () => Promise<ServerStanding> {
    const share = shareEqual();
    return () => share('standing', () => standingOf(this.#primary, mark));
  }

  /** The same, asked by those of a while. */
  #looseStanding(mark: CommitMark): () => Promise<ServerStanding> {
    const ask = this.#standing(mark);
    let known: { readonly since: number; readonly answer: Promise<ServerStanding> } | undefined;
    return () => {
      const now = performance.now();
      if (known === undefined || now - known.since > this.#maxLagMs) known = { since: now, answer: ask() };
      return known.answer;
    };
  }

  /** @throws NotThere where the primary must answer */
  async #attempt<T>(
    replica: Replica,
    { mark, standing, isExact }: Asked,
    read: (on: Connections) => Promise<T>,
  ): Promise<T> {
    const asked = standing().catch((error: unknown) => {
      throw new NotThere(replica.state, error);
    });
    asked.catch(() => undefined); // it is waited for below, unless the replica cannot be reached
    let client: PoolClient;
    try {
      client = await replica.pool.connect();
    } catch (error) {
      replica.becomes('lost', error);
      throw new NotThere('lost', error);
    }
    const lent = lend(client);
    try {
      await this.#reach(client, mark, await asked, isExact);
      const answer = await read(lent.connections);
      replica.becomes('used');
      return answer;
    } catch (error) {
      lent.spoil();
      if (error instanceof NotThere) {
        // what it shows may still do for reads that may lag: then this one alone goes to the primary
        const staysUsed =
          isExact && this.#maxLagMs > 0 && error.state === 'behind' && replica.state === 'used';
        if (!staysUsed) replica.becomes(error.state, error.cause);
      } else if (isConflict(error)) throw new NotThere(replica.state, error);
      else if (isStoreAway(error)) {
        replica.becomes('lost', error);
        throw new NotThere('lost', error);
      }
      throw error;
    } finally {
      lent.giveBack();
    }
  }

  /** Leaves the client in a transaction that shows what the primary shows, or more that the primary shows by now. */
  async #reach(
    client: PoolClient,
    mark: CommitMark,
    primary: ServerStanding,
    isExact: boolean,
  ): Promise<void> {
    const until = performance.now() + REPLAY_MS;
    const wait = async (otherwise: State): Promise<void> => {
      if (performance.now() > until) throw new NotThere(otherwise);
      await sleep(1);
    };
    if (primary.place === null) throw new NotThere('unknown');
    for (;;) {
      const there = await inTime(beginAtPlace(client, mark));
      const reason = unlike(there, primary);
      if (reason !== undefined) throw new NotThere(reason);
      if (BigInt(there.place ?? 0) < BigInt(primary.place)) {
        await client.query('ROLLBACK');
        await wait('behind');
        continue;
      }
      if (!isExact) return;
      // a standby may show a commit before the primary does, and one that follows another log has its own
      while (there.mark !== primary.mark && !(await showsCommit(this.#primary, mark, there.mark)))
        await wait('foreign');
      return;
    }
  }
}
