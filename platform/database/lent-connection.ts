// One connection as if it were a pool.
import type { PoolClient } from 'pg';
import type { Connections } from './transaction.ts';

interface LentConnection {
  readonly connections: Connections;
  /** It is closed when it is given back. */
  spoil(): void;
  /** Once those who have taken it have given it back: a read that goes on keeps it so long. */
  giveBack(): void;
}

/** A connection in a transaction as a pool of its own; who takes it does not end the transaction by giving it back. */
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
