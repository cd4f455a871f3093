// Creates a span for each SQL statement that runs for a request.
import { AsyncResource } from 'node:async_hooks';
import type pg from 'pg';
import type { Spans } from './spans.ts';

type AnyFunction = (...args: unknown[]) => unknown;

const MAX_TEXT_LENGTH = 2000;

const textOf = (statement: unknown): string => {
  const text =
    typeof statement === 'object' && statement !== null && 'text' in statement ? statement.text : statement;
  return typeof text === 'string' ? text : '';
};

const isPromise = (value: unknown): value is Promise<unknown> => value instanceof Promise;

/** Wraps a client's queries in spans. Spans never contain values, because statements use placeholders. */
function traceClient(client: pg.PoolClient, spans: Spans): void {
  const query = client.query.bind(client) as AnyFunction; // one of many overloads
  const traced: AnyFunction = (...args) => {
    if (spans.active() === undefined) return query(...args);
    const text = textOf(args[0]);
    const verb = /^\W*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
    const span = spans.start(verb, 'client', {
      'db.system.name': 'postgresql',
      'db.operation.name': verb,
      'db.query.text': text.slice(0, MAX_TEXT_LENGTH),
    });
    const end = (error?: unknown): void => {
      if (error instanceof Error) spans.fail(span, error.message);
      span.end();
    };
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      return query(
        ...args.slice(0, -1),
        AsyncResource.bind((error: unknown, result: unknown) => {
          end(error);
          // a function, checked above
          (callback as AnyFunction)(error, result);
        }),
      );
    }
    const answered = query(...args);
    if (isPromise(answered))
      answered.then(() => end(), end); // the caller has the same promise and handles its rejection
    else end(); // a cursor: reading it is not part of the statement
    return answered;
  };
  // passes its arguments on; overloads cannot be inferred
  client.query = traced as typeof client.query;
}

export function tracePool(pool: pg.Pool, spans: Spans): void {
  const known = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => {
    if (known.has(client)) return;
    known.add(client);
    traceClient(client, spans);
  });
  // A waiting caller gets its connection in the async context of another request, so its callback is bound to
  // its own context.
  const connect = pool.connect.bind(pool) as AnyFunction;
  const bound: AnyFunction = (callback) =>
    // checked
    typeof callback === 'function' ? connect(AsyncResource.bind(callback as AnyFunction)) : connect();
  // likewise
  pool.connect = bound as typeof pool.connect;
}
