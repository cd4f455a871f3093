// A component's REST API: finds the row of a request, and refuses unknown paths and methods.
import findMyWay from 'find-my-way';
import { DomainError } from '../platform/errors.ts';
import { type RestApi, type Handler, isMethod, type Match, METHODS } from '../platform/request-context.ts';
import {
  answering,
  type AnsweringOptions,
  failing,
  type FailingOptions,
  type RegisteredRow,
  writes,
} from './answer-row.ts';
import type { Envelope } from './envelopes.ts';
import type { RestRoute } from './route.ts';

export interface RestApiOptions extends AnsweringOptions, FailingOptions {
  readonly component: string;
  /** The API's prefix in the gateway: `/api/v1/metadata`; for templates in audit and metrics. */
  readonly prefix: string;
  readonly rows: readonly RestRoute[];
  readonly bulkBodyLimit: number;
}

/**
 * The name of a row in audit and metrics: one string object for all its requests, which is the key of their
 * counters.
 */
interface Registered extends RegisteredRow {
  readonly template: string;
}

/** An external id of 1000 characters, each as four escaped bytes. */
const MAX_PARAM_LENGTH = 12_000;

export function createRestApi(options: RestApiOptions): RestApi {
  const { rows, envelope, prefix } = options;
  const fail = failing(options);
  const answer = answering(options, fail);
  const table = findMyWay<findMyWay.HTTPVersion.V1>({
    caseSensitive: true,
    maxParamLength: MAX_PARAM_LENGTH,
  });
  for (const row of rows)
    table.on(row.method, row.path.replaceAll(/\{(\w+)\}/g, ':$1'), () => undefined, {
      row,
      template: prefix + row.path,
      writes: writes(row),
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
        const params = found.params as Record<string, string>;
        return {
          template,
          access: row.access ?? options.prepare(row.operation).permission,
          handle: (ctx) => answer(registered, params, ctx),
          ...(row.bulk === true ? { bodyLimit: options.bulkBodyLimit } : {}),
        };
      }
      const allowed = METHODS.filter((m) => table.find(m, path) !== null);
      if (allowed.length === 0)
        return refusal((ctx) =>
          fail(ctx, new DomainError('not_found', `no such path: ${path}`), { envelope: shapesOf(path) }),
        );
      const allow = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : [])].join(', ');
      return refusal((ctx) =>
        fail(ctx, new DomainError('method_not_allowed', `${method} is not allowed here; allowed: ${allow}`), {
          allow,
          envelope: shapesOf(path),
        }),
      );
    },
  };
}
