// Reads the rows of a statement through a cursor of the transaction that is open, a batch in memory at a time.
import { BEGIN_SNAPSHOT } from '../database/lent-connection.ts';
import type { Queryable } from '../queryable.ts';

/** Rows of the first batch: their size is not known yet, and may be that of the largest. */
const FIRST = 4;
const MOST = 2000;
/** Characters of a batch, about. */
const CHARACTERS = 1_000_000;

/** Begins a transaction that sees one moment for as long as its reader takes. */
export const BEGIN_WALK = `${BEGIN_SNAPSHOT}; SET LOCAL cursor_tuple_fraction = 1;
  SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`;

/** @param sql rows with one column, `line` */
export async function* walkLines(db: Queryable, sql: string): AsyncGenerator<string[], void, undefined> {
  await db.query(`DECLARE archive NO SCROLL CURSOR FOR ${sql}`);
  for (let size = FIRST; ;) {
    const { rows } = await db.query<{ line: string }>(`FETCH ${size} FROM archive`);
    if (rows.length > 0) yield rows.map(({ line }) => line);
    if (rows.length < size) break;
    const characters = rows.reduce((sum, { line }) => sum + line.length, 1);
    size = Math.max(1, Math.min(MOST, size * 2, Math.floor((CHARACTERS / characters) * size)));
  }
  await db.query('CLOSE archive');
}
