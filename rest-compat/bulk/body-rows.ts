// The rows of the body of a bulk ingest, as it comes: an array, lines, or a table.
import { PassThrough } from 'node:stream';
import { DomainError } from '../../platform/errors.ts';
import { endOfCredential } from '../../platform/identity.ts';
import { jsonLimitsFor, watchBody } from '../../platform/intake/intake.ts';
import { assertPlainEncoding, hasBody, mediaType } from '../../platform/read-body.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { elementsOf, type Hold, linesOf } from '../../platform/tables/json-rows.ts';
import { fieldsOfType } from '../answer-table.ts';
import type { Prepare } from '../answering.ts';
import type { UnreadRow } from './read-row.ts';
import { TABLE_TYPES, type TableReading, tableRows } from './table-rows.ts';

/** Bytes that wait between the connection and the parser. */
const READ_AHEAD = 128 * 1024;
const LINES = ['application/x-ndjson', 'application/jsonl', 'application/ndjson'];

/** @throws DomainError `unsupported_media_type` */
export function bodyRows(
  ctx: RequestContext,
  hold: Hold,
  table: TableReading,
  prepare: Prepare,
): AsyncGenerator<UnreadRow, void, undefined> {
  const { req, caller } = ctx;
  const type = mediaType(ctx);
  assertPlainEncoding(ctx);
  const isLines = type !== undefined && LINES.includes(type);
  const format = type !== undefined && Object.hasOwn(TABLE_TYPES, type) ? TABLE_TYPES[type] : undefined;
  if (!isLines && format === undefined && type !== undefined && type !== 'application/json' && hasBody(req))
    throw new DomainError(
      'unsupported_media_type',
      `the body must be application/json (an array), application/x-ndjson (lines), or a table (${Object.keys(TABLE_TYPES).join(', ')}), not ${type}`,
    );
  const body = new PassThrough({ highWaterMark: READ_AHEAD });
  req.pipe(body);
  req.on('close', () => {
    if (!req.complete) body.destroy(new DomainError('invalid_request', 'the body ended prematurely'));
  });
  watchBody(req, true, (late) => {
    body.destroy(late);
  });
  caller.signal?.addEventListener(
    'abort',
    () => {
      const ended = endOfCredential(caller);
      if (ended) body.destroy(ended);
    },
    { once: true },
  );
  if (format !== undefined) {
    const fieldsOf = (name: string) => fieldsOfType(name, prepare, caller);
    const limits = jsonLimitsFor(req);
    return tableRows({ chunks: body, format, caller, limits, fieldsOf }, table);
  }
  return isLines ? linesOf(body, hold) : elementsOf(body, hold);
}
