// Reads the rows of a long page through a cursor: one batch at a time, until the reader stops.
import type { Pool } from 'pg';
import Cursor from 'pg-cursor';
import { withinTime } from '../within-time.ts';
import { pageSql } from './page-sql.ts';
import type { PageRequest, PageRow } from '../reading/page-request.ts';

const asText = { getTypeParser: () => (value: unknown) => value };

const MIN_BATCH = 64;
const MAX_BATCH = 1000;
/** Target size of a batch in characters, whatever the size of a row. */
const CHARACTERS = 2_000_000;

/** Rows of the next batch, by the size of these. */
export function nextSize(rows: readonly PageRow[]): number {
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
  const values: unknown[] = [];
  const { text } = pageSql(request, values);
  const client = await pool.connect();
  let cursor: Cursor<PageRow> | undefined;
  let hasFailed = false;
  let stopping: Promise<unknown> | undefined;
  let stop = (): void => undefined;
  try {
    signal.throwIfAborted();
    const {
      rows: [self],
    } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    stop = () => {
      stopping = pool.query('SELECT pg_cancel_backend($1)', [self?.pid]).catch(() => undefined);
    }; // if the cancel request fails, the statement's time limit ends it
    signal.addEventListener('abort', stop, { once: true });
    signal.throwIfAborted();
    cursor = client.query(new Cursor<PageRow>(text, values, { types: asText }));
    for (let size = MIN_BATCH; ;) {
      const rows = await withinTime(cursor.read(size));
      signal.throwIfAborted();
      if (rows.length > 0) yield rows;
      if (rows.length < size) return;
      size = nextSize(rows);
    }
  } catch (error) {
    hasFailed = true;
    signal.throwIfAborted(); // we cancelled the statement ourselves
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await stopping;
    if (stopping === undefined && !hasFailed) await cursor?.close();
    // the cancel request may arrive late: the connection is not used again
    client.release(stopping !== undefined || hasFailed);
  }
}
