// A lease on one row of a queue while its worker holds it: renewed in time, and known to be lost where that
// fails.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isStoreAway } from '../store-away.ts';

/** Somebody else works on it now, or nobody does: it is left alone. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';
}

export interface LeaseOptions {
  /** How long others leave the row alone after a renewal. */
  readonly leaseMs: number;
  /** Renews it, and writes what progress there is; false where the row is no longer held. */
  readonly renew: () => Promise<boolean>;
  /** How often progress is written, at most. */
  readonly progressMs: number;
  /**
   * A number that changes with the progress: as long as it does not, the lease is renewed three times in its
   * duration and not more often. Absent: it is renewed each time.
   */
  readonly progress?: () => number;
  /** Why the row is no longer held; lost unless given. */
  readonly whyLost?: () => Promise<Error>;
  /** With the row's id in its bindings. */
  readonly log: Logger;
}

/** How long to wait for a database that is away before it is asked again, in milliseconds. */
const AWAY_MS = 500;

export class Lease {
  readonly #options: LeaseOptions;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #renewedAt = performance.now();
  #written = 0;

  /** Begins with a row that was claimed just now. */
  constructor(options: LeaseOptions) {
    this.#options = options;
    const { progressMs, leaseMs } = options;
    this.#timer = setInterval(() => void this.#beat(), Math.min(progressMs, leaseMs / 6));
  }

  /** Aborted when the row is no longer held. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** @throws what the database throws; a lease that turns out to be lost aborts the signal and throws nothing */
  async renew(): Promise<void> {
    if (this.lost.aborted) return;
    const askedAt = performance.now();
    if (await this.#options.renew()) {
      this.#renewedAt = askedAt;
      return;
    }
    this.#lost.abort((await this.#options.whyLost?.()) ?? new LeaseLostError('the lease is no longer held'));
  }

  /**
   * Does what ends the row, and again where the database was away, for as long as the lease is held: what was
   * done without an answer is not done twice, by the fence.
   */
  async finish(act: () => Promise<unknown>, stop: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([stop, this.lost]);
    for (;;) {
      try {
        await act();
        return;
      } catch (err) {
        if (!isStoreAway(err) || signal.aborted) throw err;
        this.#options.log.warn(
          { err },
          'the database is unavailable: the result is stored when it is available again',
        );
        await sleep(AWAY_MS, undefined, { signal });
      }
    }
  }

  /** Renews it no more. */
  release(): void {
    clearInterval(this.#timer);
  }

  /** Where renewing has failed for as long as the lease lasts, it is lost. */
  async #beat(): Promise<void> {
    const { progress, leaseMs, log } = this.#options;
    const reached = progress?.();
    if (reached === this.#written && performance.now() - this.#renewedAt < leaseMs / 3) return;
    this.#written = reached ?? 0;
    try {
      await this.renew();
    } catch (err) {
      log.warn({ err }, 'the lease could not be renewed');
      if (performance.now() - this.#renewedAt > leaseMs)
        this.#lost.abort(new LeaseLostError('the lease has ended'));
    }
  }
}
