// Sends one batch of rows and says of each what became of it.
import type { CallOptions } from '../call-options.ts';
import { ValidationError } from '../errors/errors.ts';
import { MetadataError } from '../errors/metadata-error.ts';
import { ForbiddenError } from '../errors/transport-errors.ts';
import type { Transport } from '../transport/transport.ts';
import type { ReadyRow, RowOutcome } from './rows.ts';

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
    readonly errors: readonly { readonly index: number; readonly code: number; readonly message: string }[];
  };
}

const DOCUMENT = `mutation IngestEntities($entities: [IngestedEntity!]!, $context: ProvenanceContext, $bypass: Boolean) {
  ingestEntities(entities: $entities, context: $context, bypassValidation: $bypass) { created updated unchanged results { version } errors { index code message } } }`;

/** The exception of a row that the server refused: of many rows it tells the status and the message only. */
function refusalOf({ code, message }: { readonly code: number; readonly message: string }): MetadataError {
  const details = { status: code };
  if (code === 403) return new ForbiddenError(message, { code: 'FORBIDDEN', details });
  return code >= 500 ? new MetadataError(message, { details }) : new ValidationError(message, { code: 'VALIDATION_FAILED', details });
}

const refused = ({ index, entityType, id }: ReadyRow, error: MetadataError): RowOutcome => ({ ok: false, index, entityType, id, error });

export interface SendOptions extends CallOptions { readonly context: unknown; readonly bypass: boolean }

/** @throws MetadataError where the batch as a whole was refused or lost */
export async function sendBatch(transport: Transport, batch: readonly ReadyRow[], { context, bypass, ...options }: SendOptions): Promise<BatchOutcome> {
  const sent = batch.filter((row) => row.refusal === null);
  const { created, updated, unchanged, results, errors } = sent.length === 0 ? NOTHING : await answerOf(transport, sent, { context, bypass }, options);
  const faults = new Map(errors.map((error) => [error.index, refusalOf(error)]));
  let position = 0;
  const outcomes = batch.map((row): RowOutcome => {
    if (row.refusal !== null) return refused(row, row.refusal);
    const at = position++;
    const version = results[at]?.version;
    if (version === undefined) return refused(row, faults.get(at) ?? new MetadataError('the server does not say what became of the row'));
    const { index, entityType, id } = row;
    return { ok: true, index, entityType, id, version };
  });
  return { outcomes, created, updated, unchanged };
}

const NOTHING: Answer['ingestEntities'] = { created: 0, updated: 0, unchanged: 0, results: [], errors: [] };

async function answerOf(transport: Transport, sent: readonly ReadyRow[], { context, bypass }: { context: unknown; bypass: boolean }, options: CallOptions): Promise<Answer['ingestEntities']> {
  const variables = JSON.stringify({ context, bypass }).slice(0, -1); // the rows are JSON already
  const body = `{"query":${JSON.stringify(DOCUMENT)},"variables":${variables},"entities":[${sent.map((row) => row.json).join(',')}]}}`;
  try {
    return (await transport.sendText<Answer>({ document: DOCUMENT, safety: 'idempotent' }, body, options)).ingestEntities;
  } catch (error) {
    // a row that is too large for any request, alone in its batch
    if (error instanceof ValidationError && sent.length === 1) return { ...NOTHING, errors: [{ index: 0, code: 422, message: error.message }] };
    throw error;
  }
}
