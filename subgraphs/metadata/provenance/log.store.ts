// SQL of the one door: the transaction that holds the log's lock, and the one that only looks.
import type { Pool, PoolClient } from 'pg';
import { DomainError } from '../../../platform/errors.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { SchemaCatalogue } from '../schemas/schema-catalogue.ts';
import { readCatalogue } from '../schemas/schemas.store.ts';
import { flush } from './flush.store.ts';
import { load } from './load.store.ts';
import { type LogView, type OpenLog, SchemasChanged } from './open-log.ts';

/**
 * Runs `work` in a transaction of its own that holds the log's lock: nobody else writes until it ends. Commits when
 * `work` resolves; rolls back when it rejects, and then nothing of it is left. With an `expected` revision `work` begins at
 * once, and what it sends waits behind the lock.
 * @param pool of pipelined connections: the commit travels with the last statement
 * @throws SchemasChanged where the revision is not the expected one
 */
export async function withOpenLog<T>(pool: Pool, work: (log: OpenLog & { readonly client: Queryable }) => Promise<T>, expected?: number): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  let committed: Promise<void> | undefined;
  const commit = (): Promise<void> => (committed ??= commitOn(client));
  const opened = openLog(client, expected);
  opened.catch(() => undefined); // told below, where it is waited for
  try {
    const revision = expected ?? await opened;
    const result = await work({
      client, revision, catalogue: (known) => readCatalogue(client, known), load: (needs) => load(client, needs),
      flush(set, isLast) {
        const flushed = flush(client, set);
        if (isLast) commit().catch(() => undefined); // likewise
        return flushed;
      },
    });
    await opened;
    await commit();
    return result;
  } catch (error) {
    const first = await opened.then(() => error, (fault: unknown) => fault); // what failed after it failed for its sake
    await client.query('ROLLBACK').catch((fault: unknown) => { broken = fault instanceof Error ? fault : new Error(String(fault)); });
    throw storable(isChange(first) ? new SchemasChanged() : first);
  } finally {
    client.release(broken);
  }
}

/** What metadata.open_log_at raises. */
const isChange = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'CA001';

/** @throws Error where the transaction had failed: then PostgreSQL rolls back and calls that no error */
async function commitOn(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new Error('the transaction had failed before its commit');
}

/** PostgreSQL's complaints about text that it cannot hold: U+0000, half of a surrogate pair. */
const UNSTORABLE: ReadonlySet<unknown> = new Set(['22021', '22P05']);
const isUnstorable = (error: Error & { readonly code?: unknown }): boolean => UNSTORABLE.has(error.code) || (error.code === '22P02' && error.message.endsWith('type json'));

/** Callers over the network are checked before; one in this process may send any string. */
const storable = (error: unknown): unknown => (error instanceof Error && isUnstorable(error)
  ? new DomainError('validation_failed', 'a string must not hold U+0000 or a lone surrogate: it cannot be stored', {}, { cause: error })
  : error);

/** Begins a transaction and takes the lock; answers the schema revision under it. */
async function openLog(client: Queryable, expected: number | undefined): Promise<number> {
  const open = expected === undefined ? 'metadata.open_log()' : `metadata.open_log_at(${Math.trunc(expected)})`;
  const results = await client.query(`BEGIN; SET LOCAL statement_timeout = 0; SELECT ${open} AS revision`) as unknown as { rows: { revision: string | number }[] }[]; // three statements give three results
  return Number(results[2]?.rows[0]?.revision ?? 0);
}

/** Runs `work` over one consistent state, without the lock and without writing: others write meanwhile. */
export async function withLogView<T>(pool: Pool, known: SchemaCatalogue, work: (log: LogView) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const catalogue = await readCatalogue(client, known);
    return await work({ revision: catalogue.revision, catalogue: () => Promise.resolve(catalogue), load: (needs) => load(client, needs) });
  } finally {
    await client.query('ROLLBACK').catch((fault: unknown) => { broken = fault instanceof Error ? fault : new Error(String(fault)); });
    client.release(broken);
  }
}
