// Conditions for which something has to be looked up before their statement: both see one snapshot, whatever is written
// between them.
import { readingFor } from '../../../platform/budget/bounded-query.ts';
import { inOneSnapshot } from '../../../platform/database/lent-connection.ts';
import type { Connections } from '../../../platform/database/transaction.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { Matches } from './page-request.ts';

export const isSettled = ({ conditions }: Pick<Matches, 'conditions'>): boolean =>
  conditions.every(({ settle }) => settle === undefined);

/** The request with conditions that all have SQL; `db` is of the snapshot in which they hold. */
export async function settled<R extends Matches>(db: Queryable, request: R): Promise<R> {
  if (isSettled(request)) return request;
  const beside = { ...request, conditions: request.conditions.filter(({ settle }) => settle === undefined) };
  const conditions = [];
  for (const one of request.conditions) conditions.push((await one.settle?.(db, beside)) ?? one);
  return { ...request, conditions };
}

/** Reads with conditions that all have SQL. */
export async function readSettled<R extends Matches, T>(
  on: Connections,
  request: R,
  read: (on: Connections, request: R) => Promise<T>,
): Promise<T> {
  if (isSettled(request)) return read(on, request);
  return inOneSnapshot(on, async (db) =>
    read(db, await settled(readingFor(db, request.identity, false), request)),
  );
}
