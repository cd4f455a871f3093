// SQL that finds the log position of an instant.
import type { Queryable } from '../../../platform/queryable.ts';

export interface Place {
  /** Position of the last event at or before the instant; `0` before the first. */
  readonly position: string;
  /** Whether no event that is yet to be committed can be at or before the instant. */
  readonly isSettled: boolean;
  readonly isFuture: boolean;
}

/**
 * The position of an instant, given as ISO 8601 text: timestamps in the log strictly increase, so a later
 * event makes it final.
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
 * Resolves when the current writer of the log has committed: takes the lock of metadata.open_log() in shared
 * mode and releases it at once.
 */
export async function writersDone(db: Queryable): Promise<void> {
  await db.query('SELECT pg_advisory_xact_lock_shared(4847307193528361)');
}
