// Answers a row that is a file: the results of its subscription, as they come (docs/reference/metadata.md#exports).
import type { ServerResponse } from 'node:http';
import type { ComponentResult } from '../platform/component.ts';
import { DomainError } from '../platform/errors.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { hasBody, readBody } from '../platform/read-body.ts';
import { setWarningsHeader } from '../platform/warnings.ts';
import { drained } from '../platform/send-event-stream.ts';
import type { Fail, Prepare } from './answering.ts';
import { columnsOf } from './answer-table.ts';
import { attachment } from '../platform/attachment.ts';
import { domainErrorOf } from './failing.ts';
import { readParameters } from './parameters.ts';
import type { LinesRow, RestRoute } from './route.ts';
import { formatByExtension, TABLE_FORMATS } from '../platform/table-formats/formats.ts';
import { ndjson } from '../platform/table-formats/ndjson.ts';
import type { RowTexts, TableFormat } from '../platform/table-formats/table.ts';
import { orParameterMeant, warningsOf } from './unheeded.ts';

function formatOf({ format = '' }: Readonly<Record<string, string>>): TableFormat {
  const found = formatByExtension(format);
  if (found) return found;
  const known = TABLE_FORMATS.map(({ extension }) => extension).join(', ');
  throw new DomainError('not_found', `no such format: ${format}; known: ${known}`);
}

/** The rows of an export's results. */
interface ExportedRows {
  readonly blocks: AsyncIterable<RowTexts>;
  /** Of the first block. */
  readonly warnings: readonly string[];
  /** Ends it where the blocks are not read. */
  leave(): Promise<void>;
}

/**
 * The first block is read at once, so that what fails early is told.
 * @throws DomainError
 */
async function exportedRows(results: AsyncIterable<ComponentResult>, pick: string): Promise<ExportedRows> {
  const source = results[Symbol.asyncIterator]();
  const leave = async (): Promise<void> => {
    await source.return?.();
  };
  const warnings: string[] = [];
  const next = async (): Promise<RowTexts | null> => {
    const step = await source.next();
    if (step.done === true) return null;
    const { data, errors, extensions } = step.value;
    const error = errors?.[0];
    if (error) throw domainErrorOf(error);
    warnings.push(...(extensions?.warnings ?? []));
    const { lines } = data?.[pick] as { lines: string }; // as the row's document selects it
    return lines.split('\n').slice(0, -1); // each line is ended
  };
  const first = await next().catch(async (error: unknown) => {
    await leave();
    throw error;
  });
  async function* blocks(): AsyncGenerator<RowTexts, void, undefined> {
    try {
      for (let block = first; block !== null;) {
        const coming = next(); // is read while this one is written
        coming.catch(() => undefined); // whoever asks for it is told
        yield block;
        block = await coming;
      }
    } finally {
      await leave();
    }
  }
  return { blocks: blocks(), warnings, leave };
}

const fileHeaders = (format: TableFormat, name: string | null): Record<string, string> => ({
  'content-type': format.mediaType,
  ...(name === null ? {} : { 'content-disposition': attachment(`${name}.${format.extension}`) }),
  'cache-control': 'no-store',
});

/** A subscription, and how its blocks are answered. */
interface Streamed extends LinesRow {
  readonly format: TableFormat;
  /** Null for what is no file. */
  readonly name: string | null;
}

/** The lines of a list where it has some, else the file that the path names. @throws DomainError `not_found` */
const streamedOf = (row: RestRoute, params: Readonly<Record<string, string>>): Streamed =>
  row.lines
    ? { ...row.lines, format: ndjson, name: null }
    : { ...row, format: formatOf(params), name: params['entity_type'] ?? row.pick };

const isGone = (res: ServerResponse): boolean => res.destroyed || res.closed;

/**
 * Sends the pieces as the connection takes them. What fails on the way ends the connection without the
 * end of a body, so that nobody takes a part for the whole.
 */
async function sendExport(
  { res }: RequestContext,
  headers: Record<string, string>,
  pieces: AsyncGenerator<string | Uint8Array, void, undefined>,
): Promise<void> {
  res.writeHead(200, headers);
  try {
    for await (const piece of pieces) {
      if (isGone(res)) return;
      if (!res.write(piece)) await drained(res);
    }
    res.end();
  } catch (error) {
    res.destroy();
    throw error;
  }
}

/** @throws DomainError as `fail`, and what ends the export after its beginning */
export function answeringExports(
  options: { readonly prepare: Prepare; readonly refuse: (message: string) => DomainError },
  fail: Fail,
  onFault: (error: unknown, ctx: RequestContext) => void,
): (row: RestRoute, params: Readonly<Record<string, string>>, ctx: RequestContext) => Promise<void> {
  const begun = async (
    row: RestRoute,
    params: Readonly<Record<string, string>>,
    ctx: RequestContext,
  ): Promise<(() => Promise<void>) | undefined> => {
    const { operation, pick, format, name } = streamedOf(row, params);
    const { subscribe } = options.prepare(operation);
    if (!subscribe) throw new Error(`${row.path} is no export`);
    const { values, rest } = readParameters(row.query, ctx.search, options.refuse);
    if (hasBody(ctx.req)) await readBody(ctx); // to enforce its limit
    const input = {
      params,
      query: values,
      rest,
      body: undefined,
      header: () => undefined,
      preferred: () => null,
    };
    const { columns, extensions } = row.table
      ? await columnsOf(row.table, input, options.prepare, ctx.caller)
      : { columns: [], extensions: {} };
    if (columns === null) {
      await fail(ctx, new DomainError('not_found', row.absent?.(params) ?? 'not found'), { extensions });
      return undefined;
    }
    const headers = fileHeaders(format, name);
    const variables = row.variables(input);
    const results = await subscribe(variables, ctx.caller).catch((error: unknown) => {
      throw error instanceof DomainError ? orParameterMeant(row, rest, error) : error;
    });
    const rows = await exportedRows(results, pick);
    setWarningsHeader(ctx.res, warningsOf(row, rest, [...rows.warnings]));
    if (ctx.req.method === 'HEAD') {
      await rows.leave();
      ctx.res.writeHead(200, headers).end();
      return undefined;
    }
    return () => sendExport(ctx, headers, format.encode(columns, rows.blocks));
  };

  return async (row, params, ctx) => {
    const send = await begun(row, params, ctx).catch((thrown: unknown) => fail(ctx, thrown));
    if (typeof send !== 'function') return;
    await send().catch((thrown: unknown) => {
      if (ctx.caller.signal?.aborted === true) return; // the client has gone, or may not read on
      onFault(thrown, ctx);
    });
  };
}
