// Sends one batch of rows and says of each what became of it.
import type { CallOptions } from '../call-options.ts';
import { ValidationError } from '../errors/errors.ts';
import { errorOf } from '../errors/map-fault.ts';
import { MetadataError } from '../errors/metadata-error.ts';
import type { Transport } from '../transport/transport.ts';
import type { ReadyRow, RowOutcome, WrittenRow } from './rows.ts';

/** What a batch comes to. */
export interface BatchOutcome {
  readonly outcomes: readonly RowOutcome[];
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

interface Answer {
  readonly ingestEntities: {
    readonly created: number;
    readonly updated: number;
    readonly unchanged: number;
    readonly results: readonly ({ readonly version: number } | null)[];
    readonly changes: readonly (Change | null)[];
    readonly errors: readonly RowError[];
  };
}

const DOCUMENT = `mutation IngestEntities($entities: [IngestedEntity!]!, $context: ProvenanceContext, $bypass: Boolean) {
  ingestEntities(entities: $entities, context: $context, bypassValidation: $bypass) { created updated unchanged results { version } changes errors { index code message details } } }`;

type Change = 'CREATED' | 'UPDATED' | 'UNCHANGED';
const CHANGES: Readonly<Record<Change, WrittenRow['change']>> = { CREATED: 'created', UPDATED: 'updated', UNCHANGED: 'unchanged' };

interface RowError { readonly index: number; readonly code: number; readonly message: string; readonly details: Readonly<Record<string, unknown>> }

const CODES: Readonly<Record<number, string>> = { 400: 'INVALID_REQUEST', 403: 'PROJECT_SCOPE_DENIED', 404: 'NOT_FOUND', 409: 'CONFLICT', 422: 'VALIDATION_FAILED' };

/** The exception of a row that the server refused: what the row alone would have been refused with. */
const refusalOf = ({ code, message, details }: RowError): MetadataError =>
  errorOf({ code: CODES[code] ?? 'INTERNAL_ERROR', message, details, requestId: null, retryAfterSeconds: null });

const refused = ({ index, entityType, id }: ReadyRow, error: MetadataError): RowOutcome => ({ ok: false, index, entityType, id, error });

export interface SendOptions extends CallOptions { readonly context: unknown; readonly bypass: boolean }

/** @throws MetadataError where the batch as a whole was refused or lost */
export async function sendBatch(transport: Transport, batch: readonly ReadyRow[], { context, bypass, ...options }: SendOptions): Promise<BatchOutcome> {
  const sent = batch.filter((row) => row.refusal === null);
  const { created, updated, unchanged, results, changes, errors } = sent.length === 0 ? NOTHING : await answerOf(transport, sent, { context, bypass }, options);
  const faults = new Map(errors.map((error) => [error.index, refusalOf(error)]));
  let position = 0;
  const outcomes = batch.map((row): RowOutcome => {
    if (row.refusal !== null) return refused(row, row.refusal);
    const at = position++;
    const version = results[at]?.version;
    if (version === undefined) return refused(row, faults.get(at) ?? new MetadataError('the server does not say what became of the row'));
    const { index, entityType, id } = row;
    return { ok: true, index, entityType, id, version, change: CHANGES[changes[at] ?? 'UNCHANGED'] };
  });
  return { outcomes, created, updated, unchanged };
}

const NOTHING: Answer['ingestEntities'] = { created: 0, updated: 0, unchanged: 0, results: [], changes: [], errors: [] };

async function answerOf(transport: Transport, sent: readonly ReadyRow[], { context, bypass }: { context: unknown; bypass: boolean }, options: CallOptions): Promise<Answer['ingestEntities']> {
  const variables = JSON.stringify({ context, bypass }).slice(0, -1); // the rows are JSON already
  const body = `{"query":${JSON.stringify(DOCUMENT)},"variables":${variables},"entities":[${sent.map((row) => row.json).join(',')}]}}`;
  try {
    return (await transport.sendText<Answer>({ document: DOCUMENT, safety: 'idempotent' }, body, options)).ingestEntities;
  } catch (error) {
    // a row that is too large for any request, alone in its batch
    if (error instanceof ValidationError && sent.length === 1) return { ...NOTHING, errors: [{ index: 0, code: 422, message: error.message, details: {} }] };
    throw error;
  }
}
