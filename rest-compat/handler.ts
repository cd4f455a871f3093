// A component's REST API: finds the row of a request, and refuses unknown paths and methods.
import findMyWay from 'find-my-way';
import { DomainError } from '../platform/errors.ts';
import { type RestApi, type Handler, isMethod, type Match, METHODS } from '../platform/request-context.ts';
import { answering, type AnsweringOptions, type RegisteredRow, writes } from './answer-row.ts';
import { answeringBulk } from './bulk/answer-bulk.ts';
import { failing, type FailingOptions } from './failing.ts';
import { answeringExports } from './answer-export.ts';
import { answeringLogs, logForm } from './answer-log.ts';
import { prefersLines } from '../platform/table-formats/formats.ts';
import type { Envelope } from './envelopes.ts';
import type { RestRoute } from './route.ts';

export interface RestApiOptions extends AnsweringOptions, FailingOptions {
  readonly component: string;
  /** The API's prefix in the gateway: `/api/v1/metadata`; for templates in audit and metrics. */
  readonly prefix: string;
  readonly rows: readonly RestRoute[];
  readonly bulkBodyLimit: number;
  readonly extensions: FailingOptions['extensions'];
}

type Params = Readonly<Record<string, string>>;

/**
 * The name of a row in audit and metrics: one string object for all its requests, which is the key of their
 * counters.
 */
interface Registered extends RegisteredRow {
  readonly template: string;
  readonly fileParams: ((found: Params) => Params) | null;
}

/** An external id of 1000 characters, each as four escaped bytes. */
const MAX_PARAM_LENGTH = 12_000;

/** `{name}.{extension}` at the end of a path is one segment, whose last dot separates the two. */
const FILE = /\{(\w+)\}\.\{(\w+)\}$/;

const patternOf = (path: string): string => path.replace(FILE, ':$1').replaceAll(/\{(\w+)\}/g, ':$1');

/** The parameters of a path that ends with a file, from those that its pattern finds; null for other paths. */
function fileParams(path: string): ((found: Params) => Params) | null {
  const [, name, extension] = FILE.exec(path) ?? [];
  if (name === undefined || extension === undefined) return null;
  return (found) => {
    const file = found[name] ?? '';
    const dot = file.lastIndexOf('.');
    return dot < 0
      ? { ...found, [extension]: '' }
      : { ...found, [name]: file.slice(0, dot), [extension]: file.slice(dot + 1) };
  };
}

const isLong = ({ isBulk, isExport, lines, upload }: RestRoute): boolean =>
  isBulk === true || isExport === true || lines !== undefined || upload !== undefined;

export function createRestApi(options: RestApiOptions): RestApi {
  const { rows, envelope, prefix } = options;
  const fail = failing(options);
  const answer = answering(options, fail);
  const answerExport = answeringExports(options, fail, options.onFault);
  const answerBulk = answeringBulk(options, fail);
  const answerLog = answeringLogs(options, fail);
  const table = findMyWay<findMyWay.HTTPVersion.V1>({
    caseSensitive: true,
    maxParamLength: MAX_PARAM_LENGTH,
  });
  for (const row of rows)
    table.on(row.method, patternOf(row.path), () => undefined, {
      row,
      template: prefix + row.path,
      writes: writes(row),
      fileParams: fileParams(row.path),
    } satisfies Registered);

  const dialects = [...new Set(rows.flatMap((row) => row.dialect ?? []))];
  const shapesOf = (path: string): Envelope =>
    dialects.find(({ under }) => path.startsWith(under))?.envelope ?? envelope;

  const refusal = (handle: Handler): Match => ({
    template: `${prefix}/{path}`,
    access: 'authenticated',
    handle,
  });

  return {
    component: options.component,
    match(method, path) {
      const sought = method === 'HEAD' ? 'GET' : method;
      const found = isMethod(sought) ? table.find(sought, path) : null;
      if (found) {
        const registered = found.store as Registered; // `on` above stored it.
        const { row, template } = registered;
        const given = found.params as Params; // all path parameters are text
        const params = registered.fileParams?.(given) ?? given;
        return {
          template,
          access: row.access ?? options.prepare(row.operation).permission,
          handle: (ctx) => {
            if (row.isBulk === true) return answerBulk(row, ctx);
            if (row.log !== undefined) {
              ctx.res.appendHeader('vary', 'Accept');
              const form = logForm(ctx.req);
              if (form !== 'json') return answerLog({ ...row, log: row.log }, form, params, ctx);
            }
            if (row.lines !== undefined) ctx.res.appendHeader('vary', 'Accept');
            return row.isExport === true || (row.lines !== undefined && prefersLines(ctx.req))
              ? answerExport(row, params, ctx)
              : answer(registered, params, ctx);
          },
          ...(row.hasBulkLimit === true ? { bodyLimit: options.bulkBodyLimit } : {}),
          ...(isLong(row) ? { isLong: true } : {}),
        };
      }
      const allowed = METHODS.filter((m) => table.find(m, path) !== null);
      if (allowed.length === 0)
        return refusal((ctx) =>
          fail(ctx, new DomainError('not_found', `there is no resource at ${path}`), {
            envelope: shapesOf(path),
          }),
        );
      const allow = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : [])].join(', ');
      return refusal((ctx) =>
        fail(
          ctx,
          new DomainError(
            'method_not_allowed',
            `the method ${method} is not allowed here; allowed: ${allow}`,
          ),
          {
            allow,
            envelope: shapesOf(path),
          },
        ),
      );
    },
  };
}
