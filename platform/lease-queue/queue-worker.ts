// Claims queued rows as they come and has them worked, a few at a time, until the process stops
// (docs/decisions/0074).
import type { Logger } from 'pino';
import { isAtWork, type Liveness, ProgressWatch } from '../database/liveness.ts';
import { RepeatedFaults } from '../repeated-faults.ts';
import type { LeasedJob } from './queue-table.store.ts';

/** Why work is broken off when the process stops. */
export class ShutdownError extends Error {
  override name = 'ShutdownError';
}

/** What is done now and then beside the work; not again while it is still under way. */
export interface Chore {
  readonly run: () => Promise<unknown>;
  /** What the log says where it fails. */
  readonly fault: string;
}

export interface QueueWorkerOptions<Job extends LeasedJob> {
  /** What the rows are, in the log: `runs`. */
  readonly noun: string;
  readonly log: Logger;
  /** Rows at a time. */
  readonly concurrent: number;
  /** How often the queue is looked at where no notification comes, and the chores are done. */
  readonly sweepMs: number;
  /** How long work may go on when the process stops; with 0 it is stopped at once. */
  readonly graceMs: number;
  /** Calls back when something was queued, until the function that is returned is called. */
  readonly onQueued: (wake: () => void) => Promise<() => Promise<void>>;
  readonly claim: (most: number) => Promise<readonly Job[]>;
  /**
   * Claims one row more than `concurrent` when that many are worked: for queues in which the long line of one
   * kind must not keep others waiting. Looked for with each sweep.
   */
  readonly claimSpare?: (working: readonly Job[]) => Promise<readonly Job[]>;
  /** Puts back what was claimed without receiving the answer: all but these. */
  readonly giveBackUnknown: (worked: readonly string[]) => Promise<void>;
  /** Never rejects. @param stop aborted with a {@link ShutdownError} */
  readonly work: (job: Job, stop: AbortSignal) => Promise<void>;
  /** After the claims: what was claimed without receiving the answer is given back before its lease is looked at. */
  readonly chores: readonly Chore[];
  /** That rows are claimed is what has to go on. */
  readonly watch?: Liveness['watch'] | undefined;
}

export class QueueWorker<Job extends LeasedJob> {
  readonly #options: QueueWorkerOptions<Job>;
  readonly #stop = new AbortController();
  readonly #working = new Map<string, { readonly job: Job; readonly done: Promise<void> }>();
  /** Rows that are claimed, or about to be, by those who work them themselves. */
  readonly #outOfLine = new Set<{ readonly id: string }>();
  readonly #choresUnderWay = new Set<Chore>();
  readonly #claims = new ProgressWatch();
  readonly #faults: RepeatedFaults;
  #unwatch = (): void => undefined;
  #timer: NodeJS.Timeout | undefined;
  #unfollow: (() => Promise<void>) | undefined;
  #claiming: Promise<void> | undefined;
  #isClosing = false;
  #isWanted = false;
  #isSpareWanted = false;
  /** A claim whose answer was lost may have taken rows that nobody works. */
  #isUnanswered = false;

  constructor(options: QueueWorkerOptions<Job>) {
    this.#options = options;
    this.#faults = new RepeatedFaults(options.log);
  }

  async start(): Promise<void> {
    this.#unfollow = await this.#options.onQueued(() => {
      this.#wake();
    });
    this.#timer = setInterval(() => {
      this.#sweep();
    }, this.#options.sweepMs);
    const { watch, noun } = this.#options;
    if (watch) this.#unwatch = watch({ name: noun, stalledSince: this.#claims.stalledSince, isAtWork });
    this.#sweep();
  }

  /** Work that claims its row by itself, beside the line and its limit. */
  async outOfLine<T>(id: string, work: () => Promise<T>): Promise<T> {
    const one = { id };
    this.#outOfLine.add(one);
    try {
      return await work();
    } finally {
      this.#outOfLine.delete(one);
    }
  }

  /** Claims no more; what was claimed is worked on. */
  async stopClaiming(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    this.#unwatch();
    if (this.#options.graceMs === 0) this.#abort();
    await this.#unfollow?.();
    this.#unfollow = undefined;
    await this.#claiming;
  }

  /** Claims no more, lets work end for a while, then stops it. */
  async close(): Promise<void> {
    await this.stopClaiming();
    const late = setTimeout(() => {
      this.#abort();
    }, this.#options.graceMs);
    await Promise.all([...this.#working.values()].map(({ done }) => done));
    clearTimeout(late);
  }

  #abort(): void {
    this.#stop.abort(new ShutdownError('the server was stopped'));
  }

  #sweep(): void {
    this.#isSpareWanted = true; // not with each row that ends: a long line is searched for it
    this.#wake();
    for (const chore of this.#options.chores) void this.#do(chore);
  }

  async #do(chore: Chore): Promise<void> {
    if (this.#choresUnderWay.has(chore)) return;
    this.#choresUnderWay.add(chore);
    try {
      await this.#claiming;
      await chore.run();
    } catch (err) {
      this.#faults.warn(err, chore.fault);
    } finally {
      this.#choresUnderWay.delete(chore);
    }
  }

  #wake(): void {
    this.#isWanted = true;
    if (this.#isClosing || this.#claiming) return;
    this.#claiming = this.#claims
      .during(() => this.#claimAll())
      .catch((err: unknown) => {
        this.#faults.warn(err, `queued ${this.#options.noun} could not be claimed`);
        this.#isWanted = false;
      })
      .finally(() => {
        this.#claiming = undefined;
        if (this.#isWanted && !this.#isClosing && this.#free > 0) this.#wake();
      });
  }

  get #free(): number {
    return this.#options.concurrent - this.#working.size;
  }

  async #claimAll(): Promise<void> {
    const { claim, claimSpare } = this.#options;
    while (this.#isWanted && !this.#isClosing && this.#free > 0) {
      this.#isWanted = false;
      const free = this.#free;
      if ((await this.#take(() => claim(free))) === free) this.#isWanted = true;
    }
    if (!claimSpare || !this.#isSpareWanted || this.#isClosing || this.#free !== 0) return;
    this.#isSpareWanted = false;
    await this.#take(() => claimSpare([...this.#working.values()].map(({ job }) => job)));
  }

  /** Works what is claimed. @returns how many */
  async #take(claim: () => Promise<readonly Job[]>): Promise<number> {
    const { giveBackUnknown, work } = this.#options;
    if (this.#isUnanswered)
      await giveBackUnknown([...this.#working.keys(), ...[...this.#outOfLine].map(({ id }) => id)]);
    this.#isUnanswered = true;
    const jobs = await claim();
    this.#isUnanswered = false;
    this.#claims.moves();
    for (const job of jobs) {
      const done = work(job, this.#stop.signal).finally(() => {
        this.#working.delete(job.id);
        this.#wake();
      });
      this.#working.set(job.id, { job, done });
    }
    return jobs.length;
  }
}
