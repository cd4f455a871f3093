// Converts a file of any supported format to ingest requests, one per record.
import { type Readable } from 'node:stream';
import { readDelimited, TableFault, type TableRow } from '../../platform/tables/read-delimited.ts';
import type { Api } from '../api.ts';
import { Failure, UsageFailure } from '../failure.ts';
import { type Columns, columnsOf, convert } from './columns.ts';
import { elementsOf } from './json-array.ts';
import { decoded, linesOf } from './text.ts';

export const FORMATS = ['json', 'jsonl', 'csv', 'tsv'] as const;
export type Format = (typeof FORMATS)[number];

/** A record and its position: the request's body as JSON text, or the fault. */
export type SourceRecord = { readonly at: string } & ({ readonly body: string } | { readonly fault: string });

/**
 * Returns the format for the file's extension; `.ndjson`, `.txt` and `.tab` are supported too. Undefined for
 * an unknown extension.
 */
export function formatOf(file: string): Format | undefined {
  const ending = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? '';
  const known: Readonly<Record<string, Format>> = {
    json: 'json',
    jsonl: 'jsonl',
    ndjson: 'jsonl',
    csv: 'csv',
    tsv: 'tsv',
    tab: 'tsv',
    txt: 'tsv',
  };
  return known[ending];
}

/** A JSON record that is an ingest request is sent unchanged, any other as the `data` of one. */
function requestOf(at: string, text: string, type: string | undefined): SourceRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return { at, fault: `not valid JSON: ${cause instanceof Error ? cause.message : String(cause)}` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { at, fault: 'a record must be a JSON object' };
  const { entity_type: own, data } = value as Record<string, unknown>; // checked above to be an object
  if (typeof own === 'string' && typeof data === 'object') return { at, body: text };
  if (type === undefined)
    return { at, fault: 'the record has no entity_type and data; give --type if records contain only data' };
  return { at, body: `{"entity_type":${JSON.stringify(type)},"data":${text}}` };
}

async function* jsonRecords(
  texts: AsyncIterable<{ at: string; text: string }>,
  type: string | undefined,
): AsyncGenerator<SourceRecord> {
  for await (const { at, text } of texts) yield requestOf(at, text, type);
}

async function* numbered(elements: AsyncIterable<string>): AsyncGenerator<{ at: string; text: string }> {
  let count = 0;
  for await (const text of elements) yield { at: `record ${++count}`, text };
}

async function* fullLines(chunks: AsyncIterable<string>): AsyncGenerator<{ at: string; text: string }> {
  for await (const { line, text } of linesOf(chunks))
    if (text.trim() !== '') yield { at: `line ${line}`, text };
}

/**
 * The first row has the column names. A column `entity_type` takes precedence over `--type`. An empty cell is
 * an absent field.
 */
async function* tableRecords(
  stream: Readable,
  delimiter: ',' | '\t',
  type: string | undefined,
  api: Api,
): AsyncGenerator<SourceRecord> {
  const schemas = new Map<string, Promise<Columns>>();
  for await (const row of rowsOf(stream, delimiter)) {
    const at = row.line === null ? 'a line' : `line ${row.line}`;
    if ('fault' in row) {
      yield { at, fault: row.fault };
      continue;
    }
    const cells = row.cells.filter(([, cell]) => cell !== '');
    const entityType = cells.find(([name]) => name === 'entity_type')?.[1] ?? type;
    if (entityType === undefined) {
      yield { at, fault: 'no entity type: give --type, or add a column entity_type' };
      continue;
    }
    const columns = schemas.get(entityType) ?? columnsOf(api, entityType);
    schemas.set(entityType, columns);
    const known = await columns;
    const data = Object.fromEntries(
      cells
        .filter(([name]) => name !== 'entity_type')
        .map(([name, cell]) => [name, convert(known, name, cell)]),
    );
    yield { at, body: JSON.stringify({ entity_type: entityType, data }) };
  }
}

/** @throws UsageFailure for an invalid header, Failure for bytes that are not text */
async function* rowsOf(stream: Readable, delimiter: ',' | '\t'): AsyncGenerator<TableRow> {
  try {
    yield* readDelimited(stream, delimiter, { trimmed: true });
  } catch (cause) {
    if (!(cause instanceof TableFault)) throw cause;
    if (cause.kind === 'header') throw new UsageFailure(cause.message);
    throw new Failure(`the input ${cause.message}`, {}, { cause });
  }
}

export function recordsOf(
  stream: Readable,
  format: Format,
  type: string | undefined,
  api: Api,
): AsyncGenerator<SourceRecord> {
  switch (format) {
    case 'json':
      return jsonRecords(numbered(elementsOf(decoded(stream))), type);
    case 'jsonl':
      return jsonRecords(fullLines(decoded(stream)), type);
    case 'csv':
      return tableRecords(stream, ',', type, api);
    case 'tsv':
      return tableRecords(stream, '\t', type, api);
    default:
      throw new Error(`unknown format ${String(format satisfies never)}`);
  }
}
