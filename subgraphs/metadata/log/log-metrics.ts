// What the log's door counts: batches, their writes and events, and the time at its lock.
import { cacheCounts } from '../../../platform/metrics/cache-metrics.ts';
import { histogram, tallies, tally } from '../../../platform/metrics/process-metrics.ts';
import { EVENT_TYPES } from './event-types.ts';

export const decidedWrites = tallies(
  'cairn_log_writes_total',
  'Writes of metadata that were decided, by what became of them.',
  'outcome',
  ['written', 'refused'],
);

const events = tallies('cairn_log_events_total', 'Events written to the log, by type.', 'type', EVENT_TYPES);

export const batchWrites = histogram(
  'cairn_log_batch_writes',
  'Writes that shared one transaction.',
  [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096],
);

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const lockWait = histogram(
  'cairn_log_lock_wait_seconds',
  "Time from asking for the log's lock to having it, with the way to the database.",
  SECONDS,
);

const lockHeld = histogram(
  'cairn_log_lock_held_seconds',
  "Time from having the log's lock to the end of the transaction.",
  SECONDS,
);

export const overtaken = tally(
  'cairn_log_overtaken_total',
  'Batches that were decided again because another process had changed what they had read.',
);

/** Batches that were decided by the schemas that the process had. */
export const knownSchemas = cacheCounts('schemas');

/** What one transaction of the log counts once it is committed. */
export class TransactionCounts {
  readonly #written: (readonly { readonly type: (typeof EVENT_TYPES)[number] }[])[] = [];
  #lockedAt = NaN;
  waitedMs = 0;

  /** @param opened the asking for the lock, which has just been sent */
  open<T>(opened: Promise<T>): Promise<T> {
    const askedAt = performance.now();
    return opened.then((mark) => {
      this.#lockedAt = performance.now();
      this.waitedMs = this.#lockedAt - askedAt;
      lockWait.observe(this.waitedMs / 1000);
      return mark;
    });
  }

  flushed(written: readonly { readonly type: (typeof EVENT_TYPES)[number] }[]): void {
    this.#written.push(written);
  }

  committed(): void {
    lockHeld.observe((performance.now() - this.#lockedAt) / 1000);
    for (const written of this.#written) for (const { type } of written) events[type].value++;
  }
}
