// Ingests as much as a source gives: several batches at once, no faster than they are taken, an outcome for every row.
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
  /** Those that had the data already. */
  readonly unchanged: number;
  readonly failed: number;
}

export interface IngestAllOptions extends ValidatedWriteOptions {
  /** Requests at once, default 4. */
  readonly concurrency?: number | undefined;
  /** Rows a request, 1 to 5000, default 500. A request is sent when it is full: in number, or at about 4 MiB. */
  readonly batchSize?: number | undefined;
  /** Told after every batch, in the order of the source. */
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined;
}

export interface IngestSummary extends IngestProgress {
  /** Rows that were refused: the first 1000. */
  readonly failures: readonly RefusedRow[];
}

export interface Ingests {
  /**
   * Ingests rows from a list or a stream. The source is read no faster than the server takes it. Rows that are refused stop nothing;
   * rows with the same id are written in the order of the source. What concerns all rows (no credential, no server)
   * ends the run with its exception: rows with ids of their own may simply be ingested again.
   */
  ingestAll(rows: AsyncIterable<IngestRow> | Iterable<IngestRow>, options?: IngestAllOptions): IngestRun;
}

const MOST_BYTES = 4 * 2 ** 20;
const MOST_FAILURES = 1000;

type Settled = { readonly batch: BatchOutcome } | { readonly error: unknown };
interface InFlight {
  readonly ids: ReadonlySet<string>;
  readonly settled: Promise<Settled>;
}

/** Outcomes of the rows, in the order of the source. Nothing is read or sent before they are asked for; it runs once. */
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
      throw new ConfigError('this run has been read already: call ingestAll again for another');
    this.#hasStarted = true;
    return this.#start();
  }

  /** Ingests everything and counts. */
  async summary(): Promise<IngestSummary> {
    const failures: RefusedRow[] = [];
    for await (const outcome of this)
      if (!outcome.ok && failures.length < MOST_FAILURES) failures.push(outcome);
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
      const cut = { rows: whole(batchSize, 5000, 'batchSize'), bytes: MOST_BYTES };
      let progress: IngestProgress = { rows: 0, created: 0, updated: 0, unchanged: 0, failed: 0 };

      async function* ready(): AsyncGenerator<ReadyRow, void, undefined> {
        const { signal } = options;
        const source = (async function* () {
          yield* rows;
        })(); // lists and streams read alike
        const next = (): Promise<IteratorResult<IngestRow, void>> => untilAborted(source.next(), signal);
        let index = 0;
        try {
          for (let row = await next(); row.done !== true; row = await next())
            yield readyRow(row.value, index++, bypass ? null : validators);
        } finally {
          const ended = source.return();
          if (signal?.aborted === true)
            ended.catch(() => undefined); // the source may wait for ever; the run ends with the signal's reason
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
            // a row waits for earlier ones with its id: requests that run at once have no order
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
          await Promise.all(inFlight.map(({ settled }) => settled)); // what has been sent is over when the run is
        }
      }

      return new IngestRun(run, () => progress);
    },
  };
}
