// Defines the rows of an ingest and their outcomes, validates and serializes them, and groups them into
// batches.
import { apart } from '../entity.ts';
import { assertFields } from '../json-data.ts';
import { MetadataError } from '../errors/metadata-error.ts';
import { uuidv7 } from '../uuid.ts';
import type { ValidationPipeline } from '../validation/pipeline.ts';

/** An entity to create, or to merge into the existing entity with this id. */
export interface IngestRow<Data extends object = object> {
  readonly entityType: string;
  /** Default: a new UUIDv7. */
  readonly id?: string | undefined;
  readonly data: Data;
}

/** The outcome of a row. */
export type RowOutcome = WrittenRow | RefusedRow;
interface RowPlace {
  /** Its position in the source, from 0. */
  readonly index: number;
  readonly entityType: string;
  readonly id: string;
}
export interface WrittenRow extends RowPlace {
  readonly ok: true;
  readonly version: number;
  readonly change: 'created' | 'updated' | 'unchanged';
}
export interface RefusedRow extends RowPlace {
  readonly ok: false;
  readonly error: MetadataError;
}

/** A row ready to send: its JSON, or the reason why it is not sent. */
export interface ReadyRow extends RowPlace {
  readonly json: string;
  readonly bytes: number;
  readonly refusal: MetadataError | null;
}

const UTF8 = new TextEncoder();

/** Validates and serializes a row. A rejected row keeps its position. */
export async function readyRow(
  { entityType, id: given, data }: IngestRow,
  index: number,
  validators: ValidationPipeline | null,
): Promise<ReadyRow> {
  let id = given;
  try {
    assertFields(data, 'data');
    const { id: named, fields } = apart(data, given);
    id = named ?? uuidv7();
    await validators?.execute({ operation: 'ingest', entityType, entityId: id, data: fields });
    const json = JSON.stringify({ entityType, id, data: fields });
    return { index, entityType, id, json, bytes: UTF8.encode(json).length, refusal: null };
  } catch (error) {
    if (error instanceof MetadataError)
      return { index, entityType, id: id ?? uuidv7(), json: '', bytes: 0, refusal: error };
    throw error;
  }
}

export interface Cut {
  readonly rows: number;
  readonly bytes: number;
}

/** Collects rows into batches, limited by number and by bytes. */
export async function* batches(
  rows: AsyncIterable<ReadyRow>,
  most: Cut,
): AsyncGenerator<ReadyRow[], void, undefined> {
  let batch: ReadyRow[] = [];
  let bytes = 0;
  for await (const row of rows) {
    if (batch.length > 0 && (batch.length >= most.rows || bytes + row.bytes > most.bytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(row);
    bytes += row.bytes;
  }
  if (batch.length > 0) yield batch;
}
