// SQL of webhook deliveries: an equal body within the window belongs to the run that it started.
import type { Queryable } from '../../../platform/queryable.ts';
import { actingValues, type NewRun, projectOf, QUEUE_CHANNEL } from '../run-records/run-queue.store.ts';

export interface AcceptedDelivery {
  readonly run: NewRun;
  readonly digest: Buffer;
  readonly windowSeconds: number;
  /** The delivery's id, its body, and the values in its condition. */
  readonly id: string;
  readonly body: Buffer;
  readonly subject: Readonly<Record<string, unknown>>;
  readonly seen: Readonly<Record<string, unknown>>;
}

/**
 * If the digest is new, or older than the window: reserves it, queues the run, stores the body and the
 * observation, in one statement. Returns the run of the digest; null if its trigger is paused and the digest
 * has none. Concurrent equal deliveries wait for each other here.
 */
export async function acceptDelivery(
  db: Queryable,
  { run, digest, windowSeconds, id, body, subject, seen }: AcceptedDelivery,
): Promise<string | null> {
  const {
    rows: [accepted],
  } = await db.query<{ queued: string | null; isPaused: boolean }>(
    `WITH pause AS (SELECT FROM workflow.trigger_pause WHERE trigger_name = $1 AND resumed_at IS NULL),
     taken AS (
       INSERT INTO workflow.delivery AS d (trigger_name, digest, run_id, accepted_at) SELECT $1, $2, $3, clock_timestamp() WHERE NOT EXISTS (SELECT FROM pause)
       ON CONFLICT (trigger_name, digest) DO UPDATE SET run_id = excluded.run_id, accepted_at = clock_timestamp()
         WHERE d.accepted_at <= clock_timestamp() - $4 * interval '1 second'
       RETURNING run_id),
     queued AS (
       INSERT INTO workflow.run (id, trigger_name, trigger_type, adapter, action, cause, status, actor, project, configuration, acts_roles, acts_projects, acts_credential, delivery_id, caused_by, request_id, queued_at)
       SELECT run_id, $1, $5, $6, $7, $8, 'queued', $9, $10, $15, $16, $17, $18, $11, $19, $20, clock_timestamp() FROM taken RETURNING id),
     kept AS (INSERT INTO workflow.received_delivery (id, trigger_name, body, request_id) SELECT $11, $1, $12, $20 FROM taken),
     observed AS (
       INSERT INTO workflow.observation (trigger_name, kind, verdict, subject, seen, run_id, project, delivery_id)
       SELECT $1, 'delivery', 'fired', $13, $14, run_id, $10, $11 FROM taken)
     SELECT q.id AS queued, EXISTS (SELECT FROM pause) AS "isPaused" FROM (SELECT 1) one LEFT JOIN (SELECT id, pg_notify('${QUEUE_CHANNEL}', id) AS notified FROM queued) q ON q.notified IS NOT NULL`,
    [
      run.triggerName,
      digest,
      run.id,
      windowSeconds,
      run.triggerType,
      run.adapter,
      JSON.stringify(run.action),
      JSON.stringify(run.cause),
      run.actor,
      projectOf(run.acting),
      id,
      body,
      JSON.stringify(subject),
      JSON.stringify(seen),
      run.configuration,
      ...actingValues(run.acting),
      run.causedBy,
      run.requestId,
    ],
  );
  if (accepted?.queued === run.id) return run.id;
  const { rows } = await db.query<{ runId: string }>(
    `SELECT run_id AS "runId" FROM workflow.delivery WHERE trigger_name = $1 AND digest = $2
       AND ($3::float8 IS NULL OR accepted_at > clock_timestamp() - $3::float8 * interval '1 second')`,
    [run.triggerName, digest, accepted?.isPaused === true ? windowSeconds : null],
  );
  return rows[0]?.runId ?? (accepted?.isPaused === true ? null : run.id);
}
