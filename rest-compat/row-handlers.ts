// Individual handlers of rows, for a table of routes that also has other routes below their prefix.
import { masked } from '../platform/errors.ts';
import type { Match, Method, RequestContext } from '../platform/request-context.ts';
import { answering, type AnsweringOptions, writes } from './answer-row.ts';
import type { RestRoute } from './route.ts';

export interface RowHandler {
  readonly method: Method;
  /** Absolute, with placeholders in braces. */
  readonly path: string;
  readonly access: Match['access'];
  readonly heedsInstant: true;
  handle(ctx: RequestContext, params: Readonly<Record<string, string>>): Promise<void>;
}

export interface RowHandlerOptions extends AnsweringOptions {
  readonly prefix: string;
  readonly rows: readonly RestRoute[];
}

/** The edge answers their errors, and their answers are not cached. */
export function rowHandlers({ prefix, rows, ...options }: RowHandlerOptions): readonly RowHandler[] {
  const answer = answering(options, (_, thrown) => Promise.reject(masked(thrown)));
  return rows.map((row) => {
    const registered = { row, writes: writes(row) };
    return {
      method: row.method,
      path: prefix + row.path,
      heedsInstant: true,
      access: row.access ?? options.prepare(row.operation).permission,
      handle(ctx, params) {
        ctx.res.setHeader('cache-control', 'no-store');
        return answer(registered, params, ctx);
      },
    };
  });
}
