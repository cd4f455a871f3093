// A pool whose statements are noted.
import type pg from 'pg';

/** The pool; the text of each statement is added to `statements` as it is sent, over whichever connection. */
export function notingPool(pool: pg.Pool, statements: string[]): pg.Pool {
  const noting = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(of, key) {
        const value: unknown = Reflect.get(of, key);
        if (key === 'connect') return async () => noting(await pool.connect());
        if (typeof value !== 'function') return value;
        if (key !== 'query') return value.bind(of) as unknown;
        return (query: string | { text: string }, ...values: unknown[]) => {
          statements.push(typeof query === 'string' ? query : query.text);
          return Reflect.apply(value, of, [query, ...values]) as unknown;
        };
      },
    });
  return noting(pool);
}
