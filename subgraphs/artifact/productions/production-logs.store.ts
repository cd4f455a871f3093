// SQL of the ends of productions' logs, as they are or were. A log grows at its end and loses its beginning: of each
// change only what was lost is kept.
import type { Queryable } from '../../../platform/queryable.ts';

interface LogCut {
  /** What the log began with before; null: there was none. */
  readonly lost: string | null;
  /** How many characters of the log after the change it had before. */
  readonly stayed: number | null;
  /** How many characters stand before those: the mark of what a log has lost. */
  readonly mark: number;
}

interface LogRow {
  readonly id: string;
  readonly log: string | null;
  /** The changes since, the latest first. */
  readonly cuts: readonly LogCut[];
}

/** PostgreSQL counts code points. */
const within = (text: string, from: number, length: number): string =>
  [...text].slice(from, from + length).join('');

const before = (log: string | null, { lost, stayed, mark }: LogCut): string | null =>
  stayed === null ? null : `${lost ?? ''}${within(log ?? '', mark, stayed)}`;

/** By the ids of productions whose visibility has been checked. */
export async function readLogs(
  db: Queryable,
  ids: readonly string[],
  asOf: string | null,
): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await db.query<LogRow>(
    `SELECT p.id, p.log, CASE WHEN $2::timestamptz IS NULL THEN '[]' ELSE coalesce((
       SELECT jsonb_agg(s.state -> 'log_cut' ORDER BY s.until DESC, s.id DESC) FROM artifact.past_state s
       WHERE s.relation = 'production' AND s.key = p.id COLLATE "C" AND s.until > $2::timestamptz AND s.state ? 'log_cut'), '[]') END AS cuts
     FROM artifact.production p WHERE p.id = ANY($1::text[])`,
    [ids, asOf],
  );
  return new Map(rows.map(({ id, log, cuts }) => [id, cuts.reduce(before, log)]));
}
