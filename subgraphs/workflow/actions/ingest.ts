// The ingest action: pull records from an adapter, map each, write them to the metadata (spec 3 «Trigger run log entry», «Action failure rules»).
import { AdapterFetchError, AdapterTransformError, messageOf } from '../adapters/adapter.ts';
import type { OpenAdapter } from '../adapters/open-adapter.ts';
import type { Execute } from '../ports.ts';
import { type Outcome, type Tally } from './outcome.ts';
import { type Mapped, upsert } from './upsert.ts';

export interface IngestOptions {
  readonly runId: string;
  /** @throws AdapterFetchError where it cannot be pulled from */
  readonly adapter: () => OpenAdapter;
  readonly since: string | null;
  readonly execute: Execute;
  /** Notes entities that the run has written. */
  readonly wrote: (ids: readonly string[]) => Promise<void>;
  readonly tally: Tally;
  readonly signal: AbortSignal;
}

/** Records of one call to the metadata, and characters of them, at most. */
const BATCH_RECORDS = 500;
const BATCH_CHARACTERS = 2_000_000;

/** Never throws but for the signal: failures are the outcome. Memory holds one batch. */
export async function ingest(options: IngestOptions): Promise<Outcome> {
  const { tally, signal } = options;
  let entityType: string | null = null;
  const ended = (status: Outcome['status']): Outcome => ({ status, entityType, counts: tally.counts(), errors: tally.errors, unresolved: [] });
  let held: readonly Mapped[] = [];
  const failed = (type: string, error: unknown): Outcome => {
    signal.throwIfAborted();
    for (const { record } of held) tally.fail(record, type, 'not written: the run ended before');
    tally.note({ type, message: messageOf(error) });
    return ended('failed');
  };
  try {
    const adapter = options.adapter();
    entityType = adapter.entityType;
    for await (const batch of batchesOf(adapter, options)) {
      held = batch;
      await options.wrote(await written(batch, adapter, options));
      held = [];
    }
  } catch (error) {
    return failed(error instanceof AdapterFetchError ? 'AdapterFetchError' : 'MetadataUnavailable', error);
  }
  return ended(tally.failed > 0 ? 'partial_success' : 'success');
}

/** A batch that was cut short counts its rest as failed, so that the counts stay exact. */
async function written(batch: readonly Mapped[], adapter: OpenAdapter, { tally, execute, runId, signal }: IngestOptions): Promise<string[]> {
  return upsert(batch, tally, { execute, entityType: adapter.entityType, runId, signal });
}

async function* batchesOf(adapter: OpenAdapter, { since, tally, signal }: IngestOptions): AsyncGenerator<readonly Mapped[]> {
  let batch: Mapped[] = [];
  let characters = 0;
  try {
    for await (const record of adapter.read({ since, signal })) {
      signal.throwIfAborted();
      const number = ++tally.fetched;
      if ('fault' in record) {
        tally.fail(number, 'AdapterTransformError', record.fault);
        continue;
      }
      try {
        const data = adapter.map(record.row);
        batch.push({ record: number, data });
        characters += JSON.stringify(data).length;
      } catch (error) {
        if (!(error instanceof AdapterTransformError)) throw error;
        tally.fail(number, error.name, error.message);
      }
      if (batch.length >= BATCH_RECORDS || characters >= BATCH_CHARACTERS) {
        yield batch;
        [batch, characters] = [[], 0];
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    for (const { record } of batch) tally.fail(record, 'AdapterFetchError', 'not written: the source failed before');
    throw error;
  }
  if (batch.length > 0) yield batch;
}
