// SQL of the workflow's gauges: by indexes over what is under way, and by the few rows of triggers.
import type { Queryable } from '../../../platform/queryable.ts';
import { FAILING_AFTER } from '../trigger-model/trigger-definition.ts';

/** More than these are not counted. */
const MOST = 10_000;

export interface QueueState {
  readonly queued: number;
  readonly running: number;
  readonly oldestSeconds: number;
  readonly failedDeliveries: number;
}

/** Failed deliveries are those of the last day whose latest run has failed. */
export async function readQueueState(db: Queryable): Promise<QueueState> {
  const { rows } = await db.query<QueueState>({
    name: 'metrics-runs',
    text: `SELECT (SELECT count(*) FROM (SELECT FROM workflow.run WHERE status = 'queued' LIMIT ${MOST}) q)::float8 AS queued,
      (SELECT count(*) FROM (SELECT FROM workflow.run WHERE status = 'running' LIMIT ${MOST}) r)::float8 AS running,
      coalesce((SELECT extract(epoch FROM clock_timestamp() - min(o.queued_at)) FROM (SELECT queued_at FROM workflow.run WHERE status = 'queued' LIMIT ${MOST}) o), 0)::float8 AS "oldestSeconds",
      (SELECT count(*) FROM (SELECT FROM workflow.run f WHERE f.finished_at > clock_timestamp() - interval '1 day' AND f.delivery_id IS NOT NULL AND f.status = 'failed'
        AND NOT EXISTS (SELECT FROM workflow.run later WHERE later.delivery_id = f.delivery_id AND (later.queued_at, later.id) > (f.queued_at, f.id)) LIMIT ${MOST}) d)::float8 AS "failedDeliveries"`,
  });
  return rows[0] ?? { queued: 0, running: 0, oldestSeconds: 0, failedDeliveries: 0 };
}

export interface TriggerState {
  readonly name: string;
  readonly isDegraded: boolean;
  readonly failures: number;
  /** How long what should have been looked at has not been; null for triggers that nothing looks at. */
  readonly lateSeconds: number | null;
  /** How long a poll has been unable to work. */
  readonly problemSeconds: number | null;
  readonly isPaused: boolean;
}

/** The configured triggers, in the order of the names. */
export async function readTriggerStates(db: Queryable, names: readonly string[]): Promise<TriggerState[]> {
  const { rows } = await db.query<TriggerState>({
    name: 'metrics-triggers',
    text: `SELECT n.name, coalesce(t.problem IS NOT NULL OR t.failures >= ${FAILING_AFTER}, false) AS "isDegraded", coalesce(t.failures, 0)::float8 AS failures,
        CASE WHEN j.next_run_at IS NOT NULL THEN greatest(0, extract(epoch FROM clock_timestamp() - j.next_run_at)) END::float8 AS "lateSeconds",
        extract(epoch FROM clock_timestamp() - t.problem_since)::float8 AS "problemSeconds", p.trigger_name IS NOT NULL AS "isPaused"
      FROM unnest($1::text[]) WITH ORDINALITY n(name, place)
      LEFT JOIN workflow.trigger t ON t.name = n.name
      LEFT JOIN workflow.trigger_pause p ON p.trigger_name = n.name AND p.resumed_at IS NULL
      LEFT JOIN LATERAL (SELECT min(a.next_run_at) AS next_run_at FROM workflow.agenda_jobs a WHERE a.name IN ('tick', 'poll') AND a.data->>'key' = n.name) j ON true
      ORDER BY n.place`,
    values: [names],
  });
  return rows;
}
