// Writes records to the metadata in batches, and finds the faulty record when a whole batch is refused.
import { DomainError } from '../../../platform/errors.ts';
import type { Execute } from '../deps.ts';
import type { Tally } from './outcome.ts';

export interface Mapped {
  readonly record: number;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Ingested {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly results: readonly ({ readonly id: string } | null)[];
  readonly errors: readonly { readonly index: number; readonly code: number; readonly message: string }[];
}

const INGEST = `mutation IngestRecords($entities: [IngestedEntity!]!, $context: ProvenanceContext) {
  ingestEntities(entities: $entities, context: $context) { created updated unchanged results { id } errors { index code message } }
}`;

/**
 * The metadata does not answer, or reports an internal error, or the run's rights have ended: the run fails
 * (docs/reference/workflow.md#action-failure-rules).
 */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'component_unavailable',
  'upstream_timeout',
  'internal_error',
  'rate_limit_exceeded',
  'revoked_token',
  'insufficient_role',
]);

/** The same for single records: others of the batch may have been written. */
const AWAY: ReadonlySet<number> = new Set([503, 504]);

/** Whether an error does not concern the records that were sent. */
const isUnreachable = (error: unknown): boolean =>
  !(error instanceof DomainError) || UNREACHABLE.has(error.code);

export interface UpsertOptions {
  readonly execute: Execute;
  readonly entityType: string;
  readonly runId: string;
  readonly signal: AbortSignal;
}

/**
 * Writes the batch and tallies it; returns the ids of the written entities.
 * @throws errors for which {@link isUnreachable} is true
 */
export async function upsert(
  batch: readonly Mapped[],
  tally: Tally,
  options: UpsertOptions,
): Promise<string[]> {
  const { execute, entityType, runId, signal } = options;
  let answer: Ingested;
  try {
    const data = await execute(
      INGEST,
      {
        entities: batch.map((one) => ({ entityType, data: one.data })),
        context: JSON.stringify({ run_id: runId }),
      },
      signal,
    );
    answer = data['ingestEntities'] as Ingested; // The document selects it.
  } catch (error) {
    const [first] = batch;
    if (isUnreachable(error) || !first) throw error;
    if (batch.length === 1) {
      // the request as a whole was refused, so the record is the cause
      tally.fail(first.record, 'IngestError', error instanceof Error ? error.message : String(error));
      return [];
    }
    const middle = batch.length >> 1;
    return [
      ...(await upsert(batch.slice(0, middle), tally, options)),
      ...(await upsert(batch.slice(middle), tally, options)),
    ];
  }
  tally.created += answer.created;
  tally.updated += answer.updated;
  tally.skipped += answer.unchanged;
  const away = answer.errors.find(({ code }) => AWAY.has(code));
  if (away) throw new DomainError('component_unavailable', away.message);
  for (const { index, code, message } of answer.errors)
    tally.fail(batch[index]?.record ?? 0, code >= 500 ? 'MetadataError' : 'IngestError', message);
  return answer.results.flatMap((entity) => (entity === null ? [] : [entity.id]));
}
