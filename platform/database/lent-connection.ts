// One connection as if it were a pool.
import type { PoolClient } from 'pg';
import type { Connections } from './transaction.ts';

interface LentConnection {
  readonly connections: Connections;
  /** It is closed when it is given back. */
  spoil(): void;
  giveBack(): void;
}

/** A connection in a transaction as a pool of its own; who takes it does not end the transaction by giving it back. */
export function lend(client: PoolClient): LentConnection {
  const release = client.release.bind(client);
  let isSpoilt = false;
  client.release = (error) => {
    isSpoilt ||= error !== undefined && error !== false;
  };
  const connections = {
    query: client.query.bind(client),
    connect: () => Promise.resolve(client),
  };
  return {
    connections,
    spoil() {
      isSpoilt = true;
    },
    giveBack() {
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
    },
  };
}
