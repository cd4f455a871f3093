// SQL that deletes expired rows, a bounded number at a time, so that nobody waits for it.
import type { Queryable } from '../../../platform/queryable.ts';

const AT_ONCE = 1000;
/** With each goes its log, of 10,000 lines at most. */
const RUNS_AT_ONCE = 50;
/** From when on all rows of a kind are there, for what tells of the past (docs/decisions/0166-how-long-the-past-is-kept.md). */
const noted = (what: string): string =>
  `INSERT INTO workflow.kept_since AS k (what, at) SELECT '${what}', clock_timestamp() - $1 * interval '1 day' WHERE EXISTS (SELECT FROM old)
   ON CONFLICT (what) DO UPDATE SET at = greatest(k.at, excluded.at)`;
const before = (column: string): string => `${column} < clock_timestamp() - $1 * interval '1 day'`;

/** Each deletes at most as many rows as {@link mostOf} says and is repeated while it does. */
const STATEMENTS = {
  // a trigger's last success with an adapter determines where its next incremental pull begins: it is kept
  runs: `WITH old AS (
      SELECT r.id FROM workflow.run r WHERE ${before('r.finished_at')}
        AND NOT (r.trigger_name IS NOT NULL AND r.status = 'success' AND r.id = (
          SELECT x.id FROM workflow.run x WHERE x.trigger_name = r.trigger_name AND x.adapter IS NOT DISTINCT FROM r.adapter AND x.status = 'success' ORDER BY x.queued_at DESC LIMIT 1))
      LIMIT ${RUNS_AT_ONCE} FOR UPDATE SKIP LOCKED),
    parts AS (DELETE FROM workflow.run_entity e USING old WHERE e.run_id = old.id),
    noted AS (${noted('runs')})
    DELETE FROM workflow.run r USING old WHERE r.id = old.id`,
  // a trigger's last firing determines the next tick: it is kept
  firings: `WITH old AS (
      SELECT x.trigger_name, x.firing_key FROM workflow.firing x WHERE ${before('x.fired_at')}
        AND x.firing_key < (SELECT max(y.firing_key) FROM workflow.firing y WHERE y.trigger_name = x.trigger_name) LIMIT ${AT_ONCE}),
    noted AS (${noted('firings')})
    DELETE FROM workflow.firing f USING old
    WHERE f.trigger_name = old.trigger_name AND f.firing_key = old.firing_key`,
  observations: `DELETE FROM workflow.observation WHERE id IN (SELECT id FROM workflow.observation WHERE ${before('at')} LIMIT ${AT_ONCE})`,
  // digests of bodies are kept longer than the longest window
  deliveries: `WITH expired AS (SELECT ctid FROM workflow.delivery WHERE accepted_at < clock_timestamp() - greatest($1 * interval '1 day', interval '366 days') LIMIT ${AT_ONCE}),
    digests AS (DELETE FROM workflow.delivery d USING expired WHERE d.ctid = expired.ctid),
    old AS (SELECT id FROM workflow.received_delivery WHERE ${before('received_at')} LIMIT ${AT_ONCE}),
    noted AS (${noted('deliveries')})
    DELETE FROM workflow.received_delivery d USING old WHERE d.id = old.id`,
} as const;

export type Kept = keyof typeof STATEMENTS;

const mostOf = (what: Kept): number => (what === 'runs' ? RUNS_AT_ONCE : AT_ONCE);

/** Deletes rows older than the days; returns their number. */
export async function forget(db: Queryable, what: Kept, days: number): Promise<number> {
  for (let gone = 0; ;) {
    const { rowCount } = await db.query(STATEMENTS[what], [days]);
    gone += rowCount ?? 0;
    if ((rowCount ?? 0) < mostOf(what)) return gone;
  }
}
