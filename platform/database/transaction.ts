// Runs a transaction on a connection from the pool.
import type { Pool, PoolClient } from 'pg';
import type { Queryable } from '../queryable.ts';

/** What single statements and transactions are run on. */
export type Connections = Pick<Pool, 'connect' | 'query'> & {
  /** Whether all of it is one connection, in a transaction of one snapshot. */
  readonly isSnapshot?: boolean;
};

/** Does the work in one transaction, and answers what it answers. */
export type Transact = <T>(work: (db: Queryable) => Promise<T>) => Promise<T>;

/**
 * Commits after `work`, or rolls back where it throws. A connection that cannot be rolled back is discarded.
 */
export async function inTransaction<T>(
  pool: Pick<Pool, 'connect'>,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((cause: unknown) => {
      broken = cause instanceof Error ? cause : new Error(String(cause));
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
