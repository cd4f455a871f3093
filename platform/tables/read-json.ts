// Reads JSON documents and lines of JSON (NDJSON, JSON Lines) as rows. A row is parsed as strictly as the API
// parses a body.
import { DomainError } from '../errors.ts';
import { parseJson } from '../json.ts';
import type { JsonLimits } from '../json-shape.ts';
import { decodeText } from './decode-text.ts';
import { elementsOf, linesIn, MAX_ROW_BYTES } from './json-rows.ts';
import { streamRecords } from './stream-records.ts';
import { MAX_RECORD_BYTES, TableFault, type TableRow } from './table-row.ts';

function rowOf(text: Buffer, line: number, what: string, limits: JsonLimits | undefined): TableRow {
  try {
    return { line, row: parseJson(text, what, { limits }) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { line, fault: error.message };
  }
}

/** One row for each line that is not blank; a line that is no JSON fails alone. @throws TableFault */
export async function* readJsonLines(
  chunks: AsyncIterable<Uint8Array>,
  { encoding, limits }: { encoding?: string | undefined; limits?: JsonLimits | undefined } = {},
): AsyncGenerator<TableRow> {
  for await (const { text, line } of linesIn(decodeText(chunks, encoding), MAX_RECORD_BYTES))
    yield text === null
      ? { line, fault: `the line is longer than ${MAX_RECORD_BYTES} bytes` }
      : rowOf(text, line, 'the line', limits);
}

/** The first character that is no white space, and all of the text. */
async function begun(chunks: AsyncIterable<Buffer>): Promise<{ first: string; all: AsyncGenerator<Buffer> }> {
  const source = chunks[Symbol.asyncIterator]();
  const read: Buffer[] = [];
  let first = '';
  while (first === '') {
    const next = await source.next();
    if (next.done === true) break;
    read.push(next.value);
    first = next.value.toString('latin1').trimStart().slice(0, 1);
  }
  const all = async function* (): AsyncGenerator<Buffer> {
    yield* read;
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
  };
  return { first, all: all() };
}

async function* onlyRow(
  chunks: AsyncIterable<Buffer>,
  limits: JsonLimits | undefined,
): AsyncGenerator<TableRow> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of chunks) {
    size += piece.length;
    if (size > MAX_ROW_BYTES)
      throw new TableFault('content', 'is one JSON object, not a list: name the list that has the records');
    pieces.push(piece);
  }
  yield rowOf(Buffer.concat(pieces), 1, 'the document', limits);
}

async function* elements(
  chunks: AsyncIterable<Buffer>,
  limits: JsonLimits | undefined,
): AsyncGenerator<TableRow> {
  try {
    for await (const { text, line } of elementsOf(chunks)) yield rowOf(text, line, 'the record', limits);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new TableFault('content', `is not valid: ${error.message}`, { cause: error });
  }
}

/**
 * The members of the list at a dotted path of the document; without a path those of the document itself, or the
 * document if it is one object.
 * @throws TableFault
 */
export async function* readJsonTable(
  chunks: AsyncIterable<Uint8Array>,
  { records, limits }: { records?: string | undefined; limits?: JsonLimits | undefined } = {},
): AsyncGenerator<TableRow> {
  const text = decodeText(chunks);
  if (records !== undefined) {
    yield* streamRecords(text, records, limits);
    return;
  }
  const { first, all } = await begun(text);
  if (first === '{') yield* onlyRow(all, limits);
  else if (first !== '') yield* elements(all, limits);
}
