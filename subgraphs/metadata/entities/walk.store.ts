// Reads the rows of a long page through a portal of one statement: one batch at a time, until the reader stops. All
// of it has the time of one statement, the reader's share included; an export, which may last, is read otherwise
// (exports.store.ts).
import type { Pool } from 'pg';
import Cursor from 'pg-cursor';
import { cancel, until } from '../../../platform/budget/bounded-query.ts';
import { BEGIN_SNAPSHOT } from '../../../platform/database/lent-connection.ts';
import { rowsAsText } from '../../../platform/queryable.ts';
import { isSettled, settled } from '../reading/settle.ts';
import { withinTime } from '../within-time.ts';
import { pageSql } from './page-sql.ts';
import type { PageRequest, PageRow } from '../reading/page-request.ts';

const MIN_BATCH = 64;
const MAX_BATCH = 1000;
/** Target size of a batch in characters, whatever the size of a row. */
const CHARACTERS = 2_000_000;

/** Rows of the next batch, by the size of these. */
export function nextSize(rows: readonly Pick<PageRow, 'data'>[]): number {
  const characters = rows.reduce((sum, { data }) => sum + data.length, 1);
  return Math.max(
    1,
    Math.min(MAX_BATCH, rows.length * 2, Math.floor((CHARACTERS / characters) * rows.length)),
  );
}

/**
 * Batches in order, of one snapshot. When the signal is aborted the database cancels the statement.
 * @throws the signal's reason; DomainError `validation_failed` if the database cancels the statement for its
 * time limit
 */
export async function* walkPage(
  pool: Pool,
  request: PageRequest,
  signal: AbortSignal,
): AsyncGenerator<readonly PageRow[]> {
  const client = await pool.connect();
  const stop = (): void => {
    cancel(client);
  };
  let hasFailed = false;
  let cursor: Cursor<PageRow> | undefined;
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    const values: unknown[] = [];
    if (!isSettled(request)) await client.query(BEGIN_SNAPSHOT);
    const { text } = pageSql(await withinTime(settled(until(client, signal), request)), values);
    cursor = client.query(new Cursor<PageRow>(text, values, { types: rowsAsText }));
    for (let size = MIN_BATCH; ;) {
      const rows = await withinTime(cursor.read(size));
      signal.throwIfAborted();
      if (rows.length > 0) yield rows;
      if (rows.length < size) break;
      size = nextSize(rows);
    }
  } catch (error) {
    hasFailed = true;
    signal.throwIfAborted(); // we cancelled the statement ourselves
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    // the cancel request may arrive late: the connection is not used again
    let isBroken = hasFailed || signal.aborted;
    try {
      if (!isBroken) await cursor?.close();
      if (!isBroken && !isSettled(request)) await client.query('COMMIT');
    } catch {
      isBroken = true; // nothing is left to be read from it
    }
    client.release(isBroken);
  }
}
