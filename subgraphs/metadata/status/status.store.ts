// Checks whether the database answers, and whether its clock allows writing the log.
import type { Logger } from 'pino';
import type { Queryable } from '../../../platform/queryable.ts';

/**
 * A description of what prevents writing; null for nothing. An unreachable database is a result here, not an
 * error; each fault is logged.
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
    const fault = `${wrong[0]} is ${Math.round(wrong[1])} s ahead of this server's clock: no writes are accepted`;
    log.error({ aheadSeconds: Math.round(wrong[1]), clockAheadSeconds }, fault);
    return fault;
  } catch (err) {
    log.warn({ err }, 'the database does not answer');
    return 'the database does not answer';
  }
}
