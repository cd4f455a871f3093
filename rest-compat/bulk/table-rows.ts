// The rows of a bulk ingest whose body is a table: each a text like a row of JSON, so that it is checked like one
// (docs/reference/metadata.md#tables-in).
import { badRequest, DomainError, invalid } from '../../platform/errors.ts';
import { enterInTurn, FairSlots } from '../../platform/fair-slots.ts';
import type { Caller } from '../../platform/identity.ts';
import { isObject } from '../../platform/json-object.ts';
import { parseJson } from '../../platform/json.ts';
import type { JsonLimits } from '../../platform/json-shape.ts';
import type { Field } from '../../platform/tables/cell-values.ts';
import { readApart } from '../../platform/tables/read-apart.ts';
import { inFile, readTable, type SourceFormat } from '../../platform/tables/read-table.ts';
import { MAX_RECORD_BYTES, TableFault, type TableRow } from '../../platform/tables/table-row.ts';
import {
  type TableMapping,
  MappingFault,
  mappingOf,
  type MappingOptions,
  RowFault,
  typeNamedBy,
} from '../../platform/tables/table-mapping.ts';
import type { UnreadRow } from './read-row.ts';

/** Media types of tables; JSON and lines of it are rows as they are. */
export const TABLE_TYPES: Readonly<Record<string, SourceFormat>> = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.apache.parquet': 'parquet',
};

/** Bytes of a table that is written to a file before it is read. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** Tables that are read from files at the same time: each has a thread. */
const files = new FairSlots({ slots: 2, perKey: 1, waiting: 4 });

/** How the table of a request is read. */
export interface TableReading extends Omit<MappingOptions, 'names' | 'isTyped' | 'parseJson'> {
  readonly delimiter: string | null;
  /** A label of the Encoding Standard. */
  readonly encoding: string | null;
  readonly sheet: string | null;
  /** Of rows that name none. */
  readonly type: string | null;
}

export interface TableBody {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly format: SourceFormat;
  readonly caller: Caller;
  readonly limits: JsonLimits;
  /** The fields of a type, inherited ones included; null where there is no such type. */
  readonly fieldsOf: (type: string) => Promise<readonly Field[] | null>;
}

async function* atMost(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    if ((bytes += chunk.length) > MAX_FILE_BYTES)
      throw new DomainError(
        'payload_too_large',
        `a workbook or a Parquet file has at most ${MAX_FILE_BYTES} bytes`,
        { limit: MAX_FILE_BYTES },
      );
    yield chunk;
  }
}

async function* fromFile(
  { chunks, format, caller }: TableBody,
  sheet: string | null,
): AsyncGenerator<TableRow> {
  const { actor, signal = new AbortController().signal } = caller;
  const leave = await enterInTurn(files, actor, signal, 'too many of your tables are read');
  try {
    const numbered = sheet !== null && /^\d{1,5}$/.test(sheet) ? Number(sheet) : (sheet ?? undefined);
    yield* inFile({ chunks: atMost(chunks) }, (file) =>
      readApart(file, { format, sheet: numbered }, { signal }),
    );
  } finally {
    leave();
  }
}

function read(body: TableBody, { delimiter, encoding, sheet }: TableReading): AsyncGenerator<TableRow> {
  const { chunks, format } = body;
  if (format === 'xlsx' || format === 'parquet') return fromFile(body, sheet);
  return readTable(
    { chunks },
    {
      format,
      encoding: encoding ?? undefined,
      isTidied: true,
      delimiter: delimiter === 'tab' ? '\t' : (delimiter ?? undefined),
    },
  );
}

const NAMES = { map: 'map', id: 'id', skip: 'skip', skipUnknown: 'skip_unknown=true' };

/** A cell of JSON within the limits of bodies; what is none stays a text, which the field's type judges. */
const cellJson =
  (limits: JsonLimits) =>
  (text: string): unknown => {
    try {
      return parseJson(text, 'the cell', { limits });
    } catch (cause) {
      if (cause instanceof DomainError && cause.message.startsWith('the cell is not valid JSON')) return text;
      throw cause;
    }
  };

class TableRows {
  readonly #body: TableBody;
  readonly #reading: TableReading;
  readonly #options: MappingOptions;
  readonly #mappings = new Map<string, TableMapping>();

  constructor(body: TableBody, reading: TableReading) {
    this.#body = body;
    this.#reading = reading;
    const isTyped = body.format === 'xlsx' || body.format === 'parquet';
    this.#options = { ...reading, names: NAMES, isTyped, parseJson: cellJson(body.limits) };
  }

  async *rows(): AsyncGenerator<UnreadRow, void, undefined> {
    try {
      for await (const one of read(this.#body, this.#reading)) yield await this.#rowOf(one);
    } catch (cause) {
      if (cause instanceof TableFault)
        throw badRequest(cause.kind === 'header' ? cause.message : `the body ${cause.message}`);
      throw cause;
    }
  }

  async #rowOf(one: TableRow): Promise<UnreadRow> {
    const { line } = one;
    if ('fault' in one) return { line, fault: invalid(one.fault), column: null };
    if (!isObject(one.row)) throw new Error('a row of a table is no object');
    const { row } = one;
    try {
      const type = typeNamedBy(row, this.#reading) ?? this.#reading.type;
      if (type === null) throw invalid('entity_type is required', { field: 'entity_type' });
      const mapping = this.#mappings.get(type) ?? (await this.#mappingOf(type, Object.keys(row)));
      const { id, data } = mapping.entityOf(row, one.jsonColumns);
      const text = Buffer.from(JSON.stringify({ entity_type: type, id, data }));
      if (text.length > MAX_RECORD_BYTES)
        throw new DomainError('payload_too_large', `a row has at most ${MAX_RECORD_BYTES} bytes`, {
          limit: MAX_RECORD_BYTES,
        });
      return { line, text, columnOf: mapping.columnOf };
    } catch (fault) {
      if (fault instanceof RowFault) return { line, fault: invalid(fault.message), column: fault.column };
      if (fault instanceof DomainError) return { line, fault, column: null };
      throw fault;
    }
  }

  /** @throws DomainError `not_found` for an unknown type; what ends the request for columns that cannot be meant */
  async #mappingOf(type: string, columns: readonly string[]): Promise<TableMapping> {
    const fields = await this.#body.fieldsOf(type);
    if (fields === null) throw new DomainError('not_found', `schema not found: ${type}`);
    const byName = new Map(fields.map((field) => [field.name, field]));
    try {
      const mapping = mappingOf(type, columns, byName, this.#options);
      this.#mappings.set(type, mapping);
      return mapping;
    } catch (cause) {
      if (!(cause instanceof MappingFault)) throw cause;
      throw new UnfitTable(cause.message);
    }
  }
}

/** Its columns cannot be meant: no row of it can be. */
class UnfitTable extends Error {}

/** The rows, as the body comes. @throws DomainError where the body is no such table, or its columns are no fields */
export async function* tableRows(
  body: TableBody,
  reading: TableReading,
): AsyncGenerator<UnreadRow, void, undefined> {
  try {
    yield* new TableRows(body, reading).rows();
  } catch (cause) {
    throw cause instanceof UnfitTable ? invalid(cause.message, { field: 'map' }) : cause;
  }
}
