// SQL of the logs of runs.
import { instantSql, type Queryable } from '../../../platform/queryable.ts';
import type { NewLine, RunLogLine } from './run-log.ts';

/** Notified with the id of a run whose log has grown. */
export const RUN_LOG_CHANNEL = 'workflow_run_log';

/** The attempt of a run that lines are about. */
export interface LoggedAttempt {
  readonly id: string;
  readonly attempt: number;
  /** Absent: whoever has ended the run, or put it back, in the same transaction. */
  readonly fence?: string;
}

/**
 * Adds lines to the end of a run's log. As the last of what its transaction does: it takes the lock of the
 * component's changes. Adds nothing if the run is no longer held under the fence.
 */
export async function appendToLog(
  db: Queryable,
  { id, attempt, fence }: LoggedAttempt,
  lines: readonly NewLine[],
): Promise<void> {
  if (lines.length === 0) return;
  const now = performance.now();
  // who takes the run away waits for this, or has taken it: then its numbers follow, and nothing is added here
  await db.query(
    `WITH held AS MATERIALIZED (
       SELECT r.id FROM workflow.run r WHERE r.id = $1 AND ($2::bigint IS NULL OR (r.fence = $2 AND r.status = 'running')) FOR SHARE),
     last AS (SELECT coalesce(l.number, 0) AS number, coalesce(l.size, 0) AS size FROM (SELECT) one
       LEFT JOIN LATERAL (SELECT x.number, x.size FROM workflow.run_log x WHERE x.run_id = $1 ORDER BY x.number DESC LIMIT 1) l ON true),
     added AS (
       INSERT INTO workflow.run_log (run_id, number, attempt, at, level, message, size)
       SELECT held.id, coalesce(n.number, last.number + n.place), $3, statement_timestamp() - n.age * interval '1 millisecond', n.level, n.message,
         last.size + sum(n.bytes) OVER (ORDER BY n.place)
       FROM held CROSS JOIN last CROSS JOIN unnest($4::int[], $5::float8[], $6::text[], $7::text[], $8::int[]) WITH ORDINALITY AS n(number, age, level, message, bytes, place)
       ON CONFLICT (run_id, number) DO NOTHING RETURNING run_id)
     SELECT pg_notify('${RUN_LOG_CHANNEL}', a.run_id) FROM (SELECT DISTINCT run_id FROM added) a`,
    [
      id,
      fence ?? null,
      attempt,
      lines.map(({ number }) => number),
      lines.map(({ at }) => Math.max(0, now - at)),
      lines.map(({ level }) => level),
      lines.map(({ message }) => message),
      lines.map(({ bytes }) => bytes),
    ],
  );
}

export interface LogPage {
  /** The number of the line before the page. */
  readonly after: number;
  readonly limit: number;
  /** As of which instant; null for the present. */
  readonly asOf: string | null;
}

const storedBy = (parameter: string): string =>
  `(${parameter}::text IS NULL OR l.stored_at <= ${parameter}::text::timestamptz)`;

/** The same page of the log of each of the runs, whose visibility has been checked. */
export async function listLogs(
  db: Queryable,
  runIds: readonly string[],
  { after, limit, asOf }: LogPage,
): Promise<(RunLogLine & { readonly runId: string })[]> {
  const { rows } = await db.query<RunLogLine & { readonly runId: string }>(
    `SELECT n.id AS "runId", page.* FROM unnest($1::text[]) AS n(id) CROSS JOIN LATERAL (
       SELECT l.number, l.attempt, ${instantSql('l.at')} AS at, l.level, l.message FROM workflow.run_log l
       WHERE l.run_id = n.id AND l.number > $2 AND ${storedBy('$4')} ORDER BY l.number LIMIT $3) page`,
    [runIds, after, limit, asOf],
  );
  return rows;
}

/** The number of the last line of each of the runs that have a log. */
export async function countLines(
  db: Queryable,
  runIds: readonly string[],
  asOf: string | null,
): Promise<{ runId: string; total: number }[]> {
  const { rows } = await db.query<{ runId: string; total: number }>(
    `SELECT n.id AS "runId", page.number AS total FROM unnest($1::text[]) AS n(id) CROSS JOIN LATERAL (
       SELECT l.number FROM workflow.run_log l WHERE l.run_id = n.id AND ${storedBy('$2')} ORDER BY l.number DESC LIMIT 1) page`,
    [runIds, asOf],
  );
  return rows;
}
