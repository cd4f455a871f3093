// Records of a JSON API with pages (docs/reference/workflow.md#http-adapter), one page in memory at a time.
import { isUtf8 } from 'node:buffer';
import { parseJsonInTurns } from '../../../platform/budget/parse-json.ts';
import type { AdapterOf } from '../../../platform/config/adapter-definition.ts';
import { type JsonLimits, ShapeScan } from '../../../platform/json-shape.ts';
import { streamRecords } from '../../../platform/tables/stream-records.ts';
import { Turn } from '../../../platform/turns.ts';
import { AdapterFetchError, type AdapterRecord, messageOf, type Pull, type ReadRecords } from './adapter.ts';
import { durationText } from '../run-records/duration-text.ts';
import { fetchWithin, resolveWithin } from './fetch-within.ts';
import { addressAt } from './open-source.ts';
import { fetchError, recordOf } from './read-file.ts';
import { ownMember, isList } from '../../../platform/json-object.ts';

/** Maximum bytes of one page. */
const MAX_PAGE_BYTES = 67_108_864;
/** Maximum pages: an API that never ends is broken. */
const MAX_PAGES = 1_000_000;

/** Bytes, or characters, that are looked at in one go. */
const PART = 65_536;

type HttpAdapter = Pick<AdapterOf<'http'>, 'url' | 'records' | 'paging' | 'headers' | 'timeoutSeconds'>;

/** The value at a dotted path; undefined if there is none. */
function valueAt(document: unknown, path: string | undefined): unknown {
  let value = document;
  for (const key of path?.split('.') ?? []) {
    value = ownMember(value, key);
  }
  return value;
}

function withParameters(
  address: string,
  parameters: Readonly<Record<string, string | number | undefined>>,
): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}

/** Only text that contains one of these can contain a number that is not exactly representable. */
const MAY_BE_INEXACT = /\d{16}|[eE]\+?\d{3}/;

interface Document {
  readonly value: unknown;
  /** The text itself, if it has to be read record by record. */
  readonly doubtful: Uint8Array | null;
}

/**
 * Parsed as a whole: with as many values as a body may have. A page that is the only one may have more: then its
 * records are parsed one by one.
 */
async function documentOf(
  bytes: Buffer,
  paging: HttpAdapter['paging'],
  limits: JsonLimits,
): Promise<Document> {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const shape = new ShapeScan(text, limits);
  const turn = new Turn();
  while (shape.step(PART)) if (turn.isOver) await turn.next();
  if (shape.fault === undefined)
    return {
      value: await parseJsonInTurns(text, undefined),
      doubtful: MAY_BE_INEXACT.test(text) ? bytes : null,
    };
  if (paging) throw new AdapterFetchError(`a page cannot be read: ${shape.fault.message}`);
  return { value: undefined, doubtful: bytes };
}

async function readPage(
  url: string,
  { url: home, headers, timeoutSeconds, paging }: HttpAdapter,
  limits: JsonLimits,
  signal: AbortSignal,
): Promise<Document> {
  const late = AbortSignal.timeout(timeoutSeconds * 1000);
  try {
    const response = await fetchWithin(
      url,
      home,
      { accept: 'application/json', ...headers },
      AbortSignal.any([signal, late]),
    );
    if (!response.ok) throw new AdapterFetchError(`the source returned status ${response.status}`);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      const bytes = chunk as Uint8Array; // A response's body consists of these.
      size += bytes.length;
      if (size > MAX_PAGE_BYTES) throw new AdapterFetchError(`a page is larger than ${MAX_PAGE_BYTES} bytes`);
      chunks.push(bytes);
    }
    const bytes = Buffer.concat(chunks);
    if (!isUtf8(bytes)) throw new AdapterFetchError('the source is not valid UTF-8');
    return await documentOf(bytes, paging, limits);
  } catch (error) {
    if (signal.aborted || error instanceof AdapterFetchError) throw error;
    if (late.aborted)
      throw new AdapterFetchError(`the source could not be read within ${timeoutSeconds} s`, {
        cause: error,
      });
    if (error instanceof SyntaxError)
      throw new AdapterFetchError(`the source is not valid JSON: ${error.message}`, { cause: error });
    throw new AdapterFetchError(
      `the source could not be read: ${messageOf(error instanceof Error ? (error.cause ?? error) : error)}`,
      { cause: error },
    );
  }
}

interface Page {
  readonly url: string;
  readonly number: number;
  readonly read: number;
}

/** The address of the next page; null after the last. `count`: the number of records of this one. */
function nextPage(
  adapter: HttpAdapter,
  first: string,
  page: Page,
  document: unknown,
  count: number,
): string | null {
  const { paging } = adapter;
  if (!paging) return null;
  const size = paging.sizeParameter === undefined ? {} : { [paging.sizeParameter]: paging.size };
  switch (paging.style) {
    case 'next_url': {
      const link = valueAt(document, paging.next);
      return typeof link === 'string' && link !== '' ? resolveWithin(link, page.url, adapter.url) : null;
    }
    case 'cursor': {
      const cursor = valueAt(document, paging.next);
      return (typeof cursor === 'string' && cursor !== '') || typeof cursor === 'number'
        ? withParameters(first, { ...size, [paging.parameter]: cursor })
        : null;
    }
    case 'page':
      return isLast(count, paging.size)
        ? null
        : withParameters(first, { ...size, [paging.parameter]: paging.first + page.number });
    case 'offset':
      return isLast(count, paging.size)
        ? null
        : withParameters(first, { ...size, [paging.parameter]: page.read + count });
    default:
      return paging satisfies never;
  }
}

/** An empty page is the last, and so is one that is not full. */
const isLast = (count: number, size: number | undefined): boolean =>
  count === 0 || (size !== undefined && count < size);

function firstPage(adapter: HttpAdapter, address: string): string {
  const { paging } = adapter;
  if (!paging) return address;
  return withParameters(address, {
    ...(paging.sizeParameter === undefined ? {} : { [paging.sizeParameter]: paging.size }),
    ...(paging.style === 'page' ? { [paging.parameter]: paging.first } : {}),
    ...(paging.style === 'offset' ? { [paging.parameter]: 0 } : {}),
  });
}

async function* inParts(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const turn = new Turn();
  for (let at = 0; at < bytes.length; at += PART) {
    if (turn.isOver) await turn.next();
    yield bytes.subarray(at, at + PART);
  }
}

async function* exactRecords(
  page: Uint8Array,
  path: string | undefined,
  limits: JsonLimits,
): AsyncGenerator<AdapterRecord> {
  try {
    for await (const row of streamRecords(inParts(page), path, limits)) yield recordOf(row, 'json');
  } catch (error) {
    throw fetchError(error);
  }
}

async function* pagesOf(
  adapter: HttpAdapter,
  limits: JsonLimits,
  { since, signal, note }: Pull,
): AsyncGenerator<AdapterRecord> {
  const first = addressAt(adapter.url, since);
  const seen = new Set<string>();
  let page: Page = { url: firstPage(adapter, first), number: 1, read: 0 };
  for (;;) {
    if (seen.has(page.url) || seen.size >= MAX_PAGES)
      throw new AdapterFetchError('the pages of the source form a loop: a page links to an earlier one');
    seen.add(page.url);
    const began = performance.now();
    const { value: document, doubtful } = await readPage(page.url, adapter, limits, signal);
    if (document === undefined && doubtful !== null) {
      yield* exactRecords(doubtful, adapter.records, limits);
      return;
    }
    const records = valueAt(document, adapter.records);
    if (!isList(records))
      throw new AdapterFetchError(
        `the document has no list of records${adapter.records === undefined ? '' : ` at ${adapter.records}`}`,
      );
    note(`page ${page.number} has ${records.length} records, and took ${durationText(began)}`);
    if (doubtful === null) for (const row of records) yield { row };
    else yield* exactRecords(doubtful, adapter.records, limits);
    const next = nextPage(adapter, first, page, document, records.length);
    if (next === null) return;
    page = { url: next, number: page.number + 1, read: page.read + records.length };
  }
}

export const httpReader =
  (adapter: HttpAdapter, limits: JsonLimits): ReadRecords =>
  (pull) =>
    pagesOf(adapter, limits, pull);
