// SQL that finds an instant's place in the log.
import type { Queryable } from '../../../platform/queryable.ts';

export interface Place {
  /** Position of the last event at or before the instant; `0` before the first. */
  readonly position: string;
  /** Whether nothing that is yet to be committed can lie at or before the instant. */
  readonly isSettled: boolean;
  readonly isFuture: boolean;
}

/**
 * The place of an instant, which is ISO 8601 text: times in the log strictly increase, so a later event
 * settles it.
 */
export async function placeOf(db: Queryable, instant: string): Promise<Place> {
  const { rows } = await db.query<{ position: string | null; settled: boolean; future: boolean }>({
    name: 'timeline-place',
    text: `SELECT (SELECT p.position FROM metadata.provenance p WHERE p.timestamp <= $1::timestamptz ORDER BY p.timestamp DESC LIMIT 1) AS position,
      EXISTS (SELECT 1 FROM metadata.provenance p WHERE p.timestamp > $1::timestamptz) AS settled, $1::timestamptz > clock_timestamp() AS future`,
    values: [instant],
  });
  const row = rows[0];
  return { position: row?.position ?? '0', isSettled: row?.settled === true, isFuture: row?.future === true };
}

/**
 * Resolves when whoever is writing the log now has committed: the lock of metadata.open_log(), shared, and
 * let go of at once.
 */
export async function writersDone(db: Queryable): Promise<void> {
  await db.query('SELECT pg_advisory_xact_lock_shared(4847307193528361)');
}
