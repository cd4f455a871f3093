// Rows on their way to the server: what they are, what becomes of them, and how many go together.
import { assertStorable } from '../json-data.ts';
import { MetadataError } from '../errors/metadata-error.ts';
import { uuidv7 } from '../uuid.ts';
import type { ValidationPipeline } from '../validation/pipeline.ts';

/** An entity to be created, or merged into the one that has the id already. */
export interface IngestRow<Data extends object = object> {
  readonly entityType: string;
  /** A UUIDv7 where it is not given. */
  readonly id?: string | undefined;
  readonly data: Data;
}

/** What became of a row. */
export type RowOutcome = WrittenRow | RefusedRow;
interface RowPlace {
  /** Its place in the source, from 0. */
  readonly index: number;
  readonly entityType: string;
  readonly id: string;
}
export interface WrittenRow extends RowPlace {
  readonly ok: true;
  readonly version: number;
  readonly change: 'created' | 'updated' | 'unchanged';
}
export interface RefusedRow extends RowPlace { readonly ok: false; readonly error: MetadataError }

/** A row as it is sent: its JSON, or why it is not. */
export interface ReadyRow extends RowPlace { readonly json: string; readonly refusal: MetadataError | null }

/** Turns rows into what is sent, asking the validators. A row that is refused stays in its place. */
export async function readyRow({ entityType, id: given, data }: IngestRow, index: number, validators: ValidationPipeline | null): Promise<ReadyRow> {
  const { id: inner, ...rest } = data as Record<string, unknown>; // any object is one of names and values
  const isInside = given === undefined && typeof inner === 'string';
  const id = isInside ? inner : given ?? uuidv7();
  const fields = isInside ? rest : { ...data };
  try {
    assertStorable(data, 'data');
    await validators?.execute({ operation: 'ingest', entityType, entityId: id, data: fields });
  } catch (error) {
    if (error instanceof MetadataError) return { index, entityType, id, json: '', refusal: error };
    throw error;
  }
  return { index, entityType, id, json: JSON.stringify({ entityType, id, data: fields }), refusal: null };
}

export interface Cut { readonly rows: number; readonly characters: number }

/** Collects rows until there are enough of them, or enough text. */
export async function* batches(rows: AsyncIterable<ReadyRow>, most: Cut): AsyncGenerator<ReadyRow[], void, undefined> {
  let batch: ReadyRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    if (batch.length > 0 && (batch.length >= most.rows || characters + row.json.length > most.characters)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(row);
    characters += row.json.length;
  }
  if (batch.length > 0) yield batch;
}
