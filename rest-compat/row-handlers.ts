// Individual handlers of rows, for a table of routes that also has other routes below their prefix.
import type { Match, Method, RequestContext } from '../platform/request-context.ts';
import { type AnsweringOptions, answersOf, writes } from './answer-row.ts';
import type { RestRoute } from './route.ts';

export interface RowHandler {
  readonly method: Method;
  /** Absolute, with placeholders in braces. */
  readonly path: string;
  readonly access: Match['access'];
  handle(ctx: RequestContext, params: Readonly<Record<string, string>>): Promise<void>;
}

export type RowHandlerOptions = Omit<AnsweringOptions, 'extensions' | 'onFault' | 'leavesErrors'> & {
  readonly prefix: string;
  readonly rows: readonly RestRoute[];
};

/** The edge answers their errors, and their answers are not cached. */
export function rowHandlers({ prefix, rows, ...options }: RowHandlerOptions): readonly RowHandler[] {
  const { answer } = answersOf({
    ...options,
    extensions: () => Promise.resolve({}),
    onFault: () => undefined,
    leavesErrors: true,
  });
  return rows.map((row) => {
    const registered = { row, writes: writes(row) };
    return {
      method: row.method,
      path: prefix + row.path,
      access: row.access ?? options.prepare(row.operation).permission,
      handle(ctx, params) {
        ctx.res.setHeader('cache-control', 'no-store');
        return answer(registered, params, ctx);
      },
    };
  });
}
