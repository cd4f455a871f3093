// The ingest action: pulls records from an adapter, maps each, writes them to the metadata
// (docs/reference/workflow.md#ingest-action, docs/reference/workflow.md#action-failure-rules).
import { AdapterFetchError, type AdapterRecord, AdapterTransformError } from '../adapters/adapter.ts';
import type { OpenAdapter } from '../adapters/open-adapter.ts';
import { durationText } from '../run-records/duration-text.ts';
import type { Execute } from '../deps.ts';
import { type Outcome, type Tally, unavailability } from './outcome.ts';
import { type Mapped, upsert } from './upsert.ts';

export interface IngestOptions {
  readonly runId: string;
  /** @throws AdapterFetchError if the source cannot be read */
  readonly adapter: () => Promise<OpenAdapter>;
  readonly since: string | null;
  readonly execute: Execute;
  /** Records entities that the run has written. */
  readonly wrote: (ids: readonly string[]) => Promise<void>;
  readonly tally: Tally;
  readonly signal: AbortSignal;
}

/** Maximum records of one call to the metadata, and their characters. */
const BATCH_RECORDS = 500;
const BATCH_CHARACTERS = 2_000_000;

/** Only throws for the signal: failures are part of the outcome. Holds one batch in memory. */
export async function ingest({
  adapter: open,
  since,
  tally,
  signal,
  execute,
  runId,
  wrote,
}: IngestOptions): Promise<Outcome> {
  let entityType: string | null = null;
  const ended = (status: Outcome['status']): Outcome => ({
    status,
    entityType,
    counts: tally.counts(),
    errors: tally.errors,
    unresolved: [],
  });
  try {
    const adapter = await open();
    entityType = adapter.entityType;
    tally.log.note('info', beginning(adapter, since));
    const began = performance.now();
    for await (const batch of batchesOf(adapter, { since, tally, signal })) {
      const told = batchTold(batch, tally);
      await wrote(await upsert(batch, tally, { execute, entityType, runId, signal }));
      told();
    }
    tally.log.note(
      'info',
      `the source has ended after ${durationText(began)}, with ${tally.fetched} records`,
    );
  } catch (error) {
    signal.throwIfAborted();
    tally.failRest();
    tally.note(
      error instanceof AdapterFetchError
        ? { type: error.name, message: error.message }
        : unavailability(error),
    );
    return ended('failed');
  }
  return ended(tally.failed > 0 ? 'partial_success' : 'success');
}

const beginning = ({ name, type, entityType }: OpenAdapter, since: string | null): string =>
  `the adapter ${name} (${type}) is read into ${entityType}: ${since === null ? 'all records' : `what has changed since ${since}`}`;

/** Begins a line that tells what became of a batch. */
function batchTold(batch: readonly Mapped[], tally: Tally): () => void {
  const began = performance.now();
  const { created, updated, skipped, failed } = tally;
  return () => {
    const counts = [
      `${tally.created - created} created`,
      `${tally.updated - updated} changed`,
      `${tally.skipped - skipped} unchanged`,
      `${tally.failed - failed} refused`,
    ].join(', ');
    tally.log.note(
      'info',
      `records ${batch[0]?.record} to ${batch.at(-1)?.record} are written in ${durationText(began)}: ${counts}`,
    );
  };
}

async function* batchesOf(
  adapter: OpenAdapter,
  { since, tally, signal }: Pick<IngestOptions, 'since' | 'tally' | 'signal'>,
): AsyncGenerator<readonly Mapped[]> {
  let batch: Mapped[] = [];
  let characters = 0;
  const note = (line: string): void => {
    tally.log.note('info', line);
  };
  for await (const record of adapter.read({ since, signal, note })) {
    signal.throwIfAborted();
    const number = ++tally.fetched;
    const mapped = mappedOf(adapter, record, number, tally);
    if (mapped === null) continue;
    batch.push(mapped);
    characters += JSON.stringify(mapped.data).length;
    if (batch.length < BATCH_RECORDS && characters < BATCH_CHARACTERS) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** Null for a failed record, which has been tallied. */
function mappedOf(adapter: OpenAdapter, record: AdapterRecord, number: number, tally: Tally): Mapped | null {
  try {
    if ('fault' in record) throw new AdapterTransformError(record.fault);
    return { record: number, data: adapter.map(record.row) };
  } catch (error) {
    if (!(error instanceof AdapterTransformError)) throw error;
    tally.fail(number, error.name, error.message);
    return null;
  }
}
