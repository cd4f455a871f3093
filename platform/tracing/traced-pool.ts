// A span around each SQL statement that runs for a request.
import { AsyncResource } from 'node:async_hooks';
import type pg from 'pg';
import type { Spans } from './open-telemetry.ts';

type AnyFunction = (...args: unknown[]) => unknown;

const LONGEST_TEXT = 2000;

const textOf = (statement: unknown): string => {
  const text =
    typeof statement === 'object' && statement !== null && 'text' in statement ? statement.text : statement;
  return typeof text === 'string' ? text : '';
};

const isPromise = (value: unknown): value is Promise<unknown> => value instanceof Promise;

/** Values are never in a span: statements have placeholders for them. */
function traceClient(client: pg.PoolClient, spans: Spans): void {
  const query = client.query.bind(client) as AnyFunction; // one of many overloads
  const traced: AnyFunction = (...args) => {
    if (spans.active() === undefined) return query(...args);
    const text = textOf(args[0]);
    const verb = /^\W*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
    const span = spans.start(verb, 'client', {
      'db.system.name': 'postgresql',
      'db.operation.name': verb,
      'db.query.text': text.slice(0, LONGEST_TEXT),
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
          (callback as AnyFunction)(error, result);
        }),
      );
    }
    const answered = query(...args);
    if (isPromise(answered))
      answered.then(() => end(), end); // whoever asked has the same promise
    else end(); // a cursor: its reading is not the statement's
    return answered;
  };
  client.query = traced as typeof client.query;
}

export function tracePool(pool: pg.Pool, spans: Spans): void {
  const known = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => {
    if (known.has(client)) return;
    known.add(client);
    traceClient(client, spans);
  });
  // whoever waits for a connection gets it in the middle of another's work: what follows is still their own
  const connect = pool.connect.bind(pool) as AnyFunction;
  const bound: AnyFunction = (callback) =>
    typeof callback === 'function' ? connect(AsyncResource.bind(callback as AnyFunction)) : connect();
  pool.connect = bound as typeof pool.connect;
}
