// The rows of a long page as the database finds them, through a cursor: a batch at a time, and none once
// nobody wants them.
import type { Pool } from 'pg';
import Cursor from 'pg-cursor';
import { withinTime } from '../within-time.ts';
import { pageSql } from './page-sql.ts';
import type { PageRequest, PageRow } from './page-request.ts';

const asText = { getTypeParser: () => (value: unknown) => value };

const MIN_BATCH = 64;
const MAX_BATCH = 1000;
/** A batch of about so many characters is held at once, whatever the size of a row. */
const CHARACTERS = 2_000_000;

function nextSize(rows: readonly PageRow[]): number {
  const characters = rows.reduce((sum, { data }) => sum + data.length, 1);
  return Math.max(
    1,
    Math.min(MAX_BATCH, rows.length * 2, Math.floor((CHARACTERS / characters) * rows.length)),
  );
}

/**
 * Batches in order, as of one instant. When the signal is aborted the database is told to stop, whatever it
 * is at.
 * @throws what the signal was aborted with; DomainError `validation_failed` where the database gives the
 * statement up
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
    }; // where it cannot be told, its time limit ends it
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
    signal.throwIfAborted(); // the statement's end is our own doing
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await stopping;
    if (stopping === undefined && !hasFailed) await cursor?.close();
    // one that was told to stop may hear of it later: it is not used again
    client.release(stopping !== undefined || hasFailed);
  }
}
