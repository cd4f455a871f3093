// Finds out whether the database answers, and whether its clock lets the log be written.
import type { Logger } from 'pino';
import type { Queryable } from '../../../platform/queryable.ts';

/**
 * What stands in the way of writing, in words; null for nothing. A database that does not answer is an answer
 * here, not an error; each is logged.
 */
export async function faultOf(db: Queryable, log: Logger, clockAheadSeconds: number): Promise<string | null> {
  try {
    const {
      rows: [row],
    } = await db.query<{
      now: number;
      last: number | null;
    }>(`SELECT extract(epoch FROM clock_timestamp())::float8 AS now,
      (SELECT extract(epoch FROM p.timestamp)::float8 FROM metadata.provenance p ORDER BY p.timestamp DESC LIMIT 1) AS last`);
    const here = Date.now() / 1000;
    const ahead = {
      'the clock of the database': (row?.now ?? here) - here,
      'the last event of the log': (row?.last ?? here) - here,
    };
    const [wrong] = Object.entries(ahead).filter(([, seconds]) => seconds > clockAheadSeconds);
    if (wrong === undefined) return null;
    const fault = `${wrong[0]} is ${Math.round(wrong[1])} s ahead of this server's clock: nothing is written`;
    log.error({ aheadSeconds: Math.round(wrong[1]), clockAheadSeconds }, fault);
    return fault;
  } catch (err) {
    log.warn({ err }, 'the database does not answer');
    return 'the database does not answer';
  }
}
