// Ingests all rows of a source: sends several batches at once, applies back-pressure to the source, and
// returns an outcome for every row.
import type { ValidatedWriteOptions } from '../call-options.ts';
import type { Core } from '../core.ts';
import { ConfigError } from '../errors/errors.ts';
import {
  batches,
  type IngestRow,
  type ReadyRow,
  readyRow,
  type RefusedRow,
  type RowOutcome,
} from './rows.ts';
import { untilAborted } from '../transport/until-aborted.ts';
import { type BatchOutcome, sendBatch } from './send-batch.ts';

export interface IngestProgress {
  /** Rows whose outcome is known. */
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  /** Rows whose data the entity already had. */
  readonly unchanged: number;
  readonly failed: number;
}

export interface IngestAllOptions extends ValidatedWriteOptions {
  /** Maximum number of concurrent requests, default 4. */
  readonly concurrency?: number | undefined;
  /**
   * Rows per request, 1 to 5000, default 500. A request is sent when it has this many rows or about 4 MiB.
   */
  readonly batchSize?: number | undefined;
  /** Called after every batch, in the order of the source. */
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined;
}

export interface IngestSummary extends IngestProgress {
  /** The first 1000 rows that were rejected. */
  readonly failures: readonly RefusedRow[];
}

export interface Ingests {
  /**
   * Ingests rows from a list or a stream. The source is read no faster than the server accepts rows. Rejected
   * rows do not stop the run. Rows with the same id are written in the order of the source. An error that
   * concerns all rows (no credential, no server) ends the run with its exception; rows that have ids may then
   * safely be ingested again.
   */
  ingestAll(rows: AsyncIterable<IngestRow> | Iterable<IngestRow>, options?: IngestAllOptions): IngestRun;
}

const MAX_BYTES = 4 * 2 ** 20;
const MAX_FAILURES = 1000;

type Settled = { readonly batch: BatchOutcome } | { readonly error: unknown };
interface InFlight {
  readonly ids: ReadonlySet<string>;
  readonly settled: Promise<Settled>;
}

/**
 * Outcomes of the rows, in the order of the source. Reading and sending begin with the iteration, which is
 * possible only once.
 */
export class IngestRun implements AsyncIterable<RowOutcome> {
  readonly #start: () => AsyncGenerator<RowOutcome, void, undefined>;
  readonly #progress: () => IngestProgress;
  #hasStarted = false;

  constructor(start: () => AsyncGenerator<RowOutcome, void, undefined>, progress: () => IngestProgress) {
    this.#start = start;
    this.#progress = progress;
  }

  [Symbol.asyncIterator](): AsyncGenerator<RowOutcome, void, undefined> {
    if (this.#hasStarted)
      throw new ConfigError('the results have already been read: call ingestAll again for another run');
    this.#hasStarted = true;
    return this.#start();
  }

  /** Ingests all rows and returns the totals. */
  async summary(): Promise<IngestSummary> {
    const failures: RefusedRow[] = [];
    for await (const outcome of this)
      if (!outcome.ok && failures.length < MAX_FAILURES) failures.push(outcome);
    return { ...this.#progress(), failures };
  }
}

function whole(value: number, most: number, name: string): number {
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new ConfigError(`${name} must be an integer from 1 to ${most}`);
  return value;
}

export function ingestsOf({ transport, validators }: Core): Ingests {
  return {
    ingestAll(
      rows,
      {
        concurrency: asked = 4,
        batchSize = 500,
        onProgress,
        provenanceContext: context,
        bypassValidation: bypass = false,
        ...options
      } = {},
    ) {
      const concurrency = whole(asked, 100, 'concurrency');
      const cut = { rows: whole(batchSize, 5000, 'batchSize'), bytes: MAX_BYTES };
      let progress: IngestProgress = { rows: 0, created: 0, updated: 0, unchanged: 0, failed: 0 };

      async function* ready(): AsyncGenerator<ReadyRow, void, undefined> {
        const { signal } = options;
        const source = (async function* () {
          yield* rows;
        })(); // lists and streams are iterated the same way
        const next = (): Promise<IteratorResult<IngestRow, void>> => untilAborted(source.next(), signal);
        let index = 0;
        try {
          for (let row = await next(); row.done !== true; row = await next())
            yield readyRow(row.value, index++, bypass ? null : validators);
        } finally {
          const ended = source.return();
          if (signal?.aborted === true)
            // the source may never return; the run ends with the signal's reason
            ended.catch(() => undefined);
          else await ended;
        }
      }

      function send(batch: readonly ReadyRow[]): InFlight {
        const settled = sendBatch(transport, batch, { context, bypass, ...options }).then(
          (outcome): Settled => ({ batch: outcome }),
          (error: unknown): Settled => ({ error }),
        );
        return { ids: new Set(batch.map((row) => row.id)), settled };
      }

      async function* take(inFlight: InFlight[]): AsyncGenerator<RowOutcome, void, undefined> {
        const settled = await inFlight.shift()?.settled;
        if (settled === undefined) return;
        if ('error' in settled) throw settled.error;
        const { outcomes, created, updated, unchanged } = settled.batch;
        progress = {
          rows: progress.rows + outcomes.length,
          created: progress.created + created,
          updated: progress.updated + updated,
          unchanged: progress.unchanged + unchanged,
          failed: progress.failed + outcomes.filter((outcome) => !outcome.ok).length,
        };
        onProgress?.(progress);
        yield* outcomes;
      }

      async function* run(): AsyncGenerator<RowOutcome, void, undefined> {
        const inFlight: InFlight[] = [];
        try {
          for await (const batch of batches(ready(), cut)) {
            // A row waits for earlier rows with the same id, because concurrent requests have no order.
            await Promise.all(
              inFlight
                .filter(({ ids }) => batch.some((row) => ids.has(row.id)))
                .map(({ settled }) => settled),
            );
            inFlight.push(send(batch));
            if (inFlight.length >= concurrency) yield* take(inFlight);
          }
          while (inFlight.length > 0) yield* take(inFlight);
        } finally {
          // Wait for the requests that were sent, so that none is running when the run ends.
          await Promise.all(inFlight.map(({ settled }) => settled));
        }
      }

      return new IngestRun(run, () => progress);
    },
  };
}
