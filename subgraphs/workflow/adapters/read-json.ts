// Records of JSON documents and of JSON Lines.
import { parseJson } from '../../../platform/json.ts';
import { AdapterFetchError, type AdapterRecord, messageOf, type ReadRecords } from './adapter.ts';
import { openSource, type SourceSettings } from './open-source.ts';

/** A JSON document is read whole: bytes, at most. */
const LARGEST_DOCUMENT = 268_435_456;
/** Bytes of one line of JSON Lines, at most. */
const LONGEST_LINE = 10_485_760;
const NEWLINE = 0x0a;

/** The list of records at a dotted path of a document; the document itself without one. @throws AdapterFetchError where there is none */
export function recordsAt(document: unknown, path: string | undefined): readonly unknown[] {
  let value = document;
  for (const key of path?.split('.') ?? []) {
    value = typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined; // it has the key
  }
  if (!Array.isArray(value)) throw new AdapterFetchError(`the document has no list of records${path === undefined ? '' : ` at ${path}`}`);
  return value as readonly unknown[];
}

/** @throws AdapterFetchError where it is no JSON */
export function parseDocument(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new AdapterFetchError(`the source is not valid JSON: ${messageOf(error)}`, { cause: error });
  }
}

export function jsonReader(settings: SourceSettings & { readonly records?: string | undefined }): ReadRecords {
  return async function* (pull): AsyncGenerator<AdapterRecord> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of openSource(settings, pull)) {
      size += chunk.length;
      if (size > LARGEST_DOCUMENT) throw new AdapterFetchError(`the document is larger than ${LARGEST_DOCUMENT} bytes; JSON Lines has no such limit`);
      chunks.push(chunk);
    }
    for (const row of recordsAt(parseDocument(Buffer.concat(chunks)), settings.records)) yield { row };
  };
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer | null> {
  let rest: Uint8Array[] = [];
  let size = 0;
  const whole = (): Buffer | null => (size > LONGEST_LINE ? null : Buffer.concat(rest));
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      size += end - from;
      if (size <= LONGEST_LINE) rest.push(chunk.subarray(from, end));
      yield whole();
      [rest, size, from] = [[], 0, end + 1];
    }
    size += chunk.length - from;
    if (size <= LONGEST_LINE) rest.push(chunk.subarray(from));
    else rest = [];
  }
  if (size > 0) yield whole();
}

export function jsonLinesReader(settings: SourceSettings): ReadRecords {
  return async function* (pull): AsyncGenerator<AdapterRecord> {
    for await (const line of linesOf(openSource(settings, pull))) {
      if (line === null) yield { fault: `the line is longer than ${LONGEST_LINE} bytes` };
      else if (line.toString('latin1').trim() !== '') yield recordOf(line);
    }
  };
}

function recordOf(line: Buffer): AdapterRecord {
  try {
    return { row: parseJson(line) };
  } catch (error) {
    return { fault: messageOf(error) };
  }
}
