// One connection as if it were a pool.
import type { PoolClient } from 'pg';
import type { Connections } from './transaction.ts';

export const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

interface LentConnection {
  readonly connections: Connections;
  /** It is closed when it is given back. */
  spoil(): void;
  /** Once those who have taken it have given it back: a read that goes on keeps it so long. */
  giveBack(): void;
}

/** A connection in a transaction of one snapshot as a pool of its own; who takes it does not end the transaction by giving it back. */
export function lend(client: PoolClient): LentConnection {
  const release = client.release.bind(client);
  let isSpoilt = false;
  let isOver = false;
  let taken = 0;
  const end = (): void => {
    if (isSpoilt) release(true);
    else
      client.query('COMMIT').then(
        () => {
          release();
        },
        (error: Error) => {
          release(error);
        },
      );
  };
  client.release = (error) => {
    isSpoilt ||= error !== undefined && error !== false;
    taken--;
    if (isOver && taken === 0) end();
  };
  const connections = {
    isSnapshot: true,
    query: client.query.bind(client),
    connect: () => {
      taken++;
      return Promise.resolve(client);
    },
  };
  return {
    connections,
    spoil() {
      isSpoilt = true;
    },
    giveBack() {
      isOver = true;
      if (taken === 0) end();
    },
  };
}

/** Does the work in one snapshot: in that of a connection that has one, else in a transaction of its own. */
export async function inOneSnapshot<T>(on: Connections, work: (on: Connections) => Promise<T>): Promise<T> {
  if (on.isSnapshot === true) return work(on);
  const lent = lend(await on.connect());
  try {
    await lent.connections.query(BEGIN_SNAPSHOT);
    return await work(lent.connections);
  } finally {
    lent.giveBack(); // of work that failed, COMMIT rolls back
  }
}
