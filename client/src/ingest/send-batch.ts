// Sends one batch of rows and returns the outcome of each.
import type { CallOptions } from '../call-options.ts';
import { ValidationError } from '../errors/errors.ts';
import { errorOf } from '../errors/map-fault.ts';
import { MetadataError } from '../errors/metadata-error.ts';
import { assertStorable } from '../json-data.ts';
import type { Transport } from '../transport/transport.ts';
import type { ReadyRow, RowOutcome, WrittenRow } from './rows.ts';

/** The result of a batch. */
export interface BatchOutcome {
  readonly outcomes: readonly RowOutcome[];
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** The server's response; `results` and `changes` are in the order of the rows. */
interface Answer {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly results: readonly ({ readonly version: number } | null)[];
  readonly changes: readonly (Change | null)[];
  readonly errors: readonly RowError[];
}

const DOCUMENT = `mutation IngestEntities($entities: [IngestedEntity!]!, $context: ProvenanceContext, $bypass: Boolean) {
  ingestEntities(entities: $entities, context: $context, bypassValidation: $bypass) { created updated unchanged results { version } changes errors { index code message details } } }`;

type Change = 'CREATED' | 'UPDATED' | 'UNCHANGED';
const CHANGES: Readonly<Record<Change, WrittenRow['change']>> = {
  CREATED: 'created',
  UPDATED: 'updated',
  UNCHANGED: 'unchanged',
};

interface RowError {
  readonly index: number;
  readonly code: number;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const CODES: Readonly<Record<number, string>> = {
  400: 'INVALID_REQUEST',
  403: 'PROJECT_SCOPE_DENIED',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  422: 'VALIDATION_FAILED',
};

/** Creates the exception for a rejected row: the same as if the row had been sent alone. */
const refusalOf = ({ code, message, details }: RowError): MetadataError =>
  errorOf({
    code: CODES[code] ?? 'INTERNAL_ERROR',
    message,
    details,
    requestId: null,
    retryAfterSeconds: null,
  });

const refused = ({ index, entityType, id }: ReadyRow, error: MetadataError): RowOutcome => ({
  ok: false,
  index,
  entityType,
  id,
  error,
});

export interface SendOptions extends CallOptions {
  readonly context: unknown;
  readonly bypass: boolean;
}

/** @throws MetadataError where the batch as a whole was rejected or lost */
export async function sendBatch(
  transport: Transport,
  batch: readonly ReadyRow[],
  { context, bypass, ...options }: SendOptions,
): Promise<BatchOutcome> {
  const sent = batch.filter((row) => row.refusal === null);
  const { created, updated, unchanged, results, changes, errors } =
    sent.length === 0 ? NOTHING : await answerOf(transport, sent, { context, bypass }, options);
  const faults = new Map(errors.map((error) => [error.index, refusalOf(error)]));
  let position = 0;
  const outcomes = batch.map((row): RowOutcome => {
    if (row.refusal !== null) return refused(row, row.refusal);
    const at = position++;
    const version = results[at]?.version;
    if (version === undefined)
      return refused(row, faults.get(at) ?? new MetadataError('the server returned no result for the row'));
    const { index, entityType, id } = row;
    return { ok: true, index, entityType, id, version, change: CHANGES[changes[at] ?? 'UNCHANGED'] };
  });
  return { outcomes, created, updated, unchanged };
}

const NOTHING: Answer = { created: 0, updated: 0, unchanged: 0, results: [], changes: [], errors: [] };

const joined = (one: Answer, other: Answer): Answer => ({
  created: one.created + other.created,
  updated: one.updated + other.updated,
  unchanged: one.unchanged + other.unchanged,
  results: [...one.results, ...other.results],
  changes: [...one.changes, ...other.changes],
  errors: [
    ...one.errors,
    ...other.errors.map((error) => ({ ...error, index: error.index + one.results.length })),
  ],
});

/**
 * Sends the rows, in several requests where they are too large for one. A row that is too large by itself is
 * rejected.
 */
async function answerOf(
  transport: Transport,
  sent: readonly ReadyRow[],
  { context, bypass }: { context: unknown; bypass: boolean },
  options: CallOptions,
): Promise<Answer> {
  assertStorable(context, 'context');
  const variables = JSON.stringify({ context, bypass }).slice(0, -1); // the rows are already serialized
  const body = `{"query":${JSON.stringify(DOCUMENT)},"variables":${variables},"entities":[${sent.map((row) => row.json).join(',')}]}}`;
  try {
    return (
      await transport.sendText<{ ingestEntities: Answer }>(
        { document: DOCUMENT, safety: 'idempotent' },
        body,
        options,
      )
    ).ingestEntities;
  } catch (error) {
    if (!(error instanceof ValidationError && error.code === 'PAYLOAD_TOO_LARGE')) throw error;
    if (sent.length === 1)
      return {
        ...NOTHING,
        results: [null],
        changes: [null],
        errors: [{ index: 0, code: 413, message: error.message, details: error.details }],
      };
    const half = Math.ceil(sent.length / 2);
    const first = await answerOf(transport, sent.slice(0, half), { context, bypass }, options);
    return joined(first, await answerOf(transport, sent.slice(half), { context, bypass }, options));
  }
}
