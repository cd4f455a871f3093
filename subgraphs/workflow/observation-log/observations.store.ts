// SQL of observations and their deliveries.
import type { Projects } from '../../../platform/identity.ts';
import { instantSql, projectList, type Queryable } from '../../../platform/queryable.ts';
import type { NewObservation, ObservedKind, Verdict } from './observation.ts';

/** Inserts observations in one statement. Those of a bucket increment an existing row. */
export async function insertObservations(
  db: Queryable,
  observations: readonly NewObservation[],
): Promise<void> {
  if (observations.length === 0) return;
  const rows = observations.map((one) => ({
    trigger_name: one.triggerName,
    kind: one.kind,
    verdict: one.verdict,
    reason: one.reason ?? null,
    subject: one.subject,
    seen: one.seen ?? {},
    run_id: one.runId ?? null,
    project: one.project ?? null,
    delivery_id: one.deliveryId ?? null,
    bucket: one.bucket ?? null,
  }));
  await db.query(
    `INSERT INTO workflow.observation AS o (trigger_name, kind, verdict, reason, subject, seen, run_id, project, delivery_id, bucket)
     SELECT r.trigger_name, r.kind, r.verdict, r.reason, r.subject, r.seen, r.run_id, r.project, r.delivery_id, r.bucket
     FROM jsonb_to_recordset($1::jsonb) AS r(trigger_name text, kind text, verdict text, reason text, subject jsonb, seen jsonb, run_id text, project text, delivery_id text, bucket text)
     ON CONFLICT (trigger_name, bucket) DO UPDATE SET times = o.times + 1, at = clock_timestamp(), subject = excluded.subject, reason = excluded.reason`,
    [JSON.stringify(rows)],
  );
}

export interface Observation {
  readonly id: string;
  readonly trigger: string;
  readonly kind: ObservedKind;
  readonly verdict: Verdict;
  readonly reason: string | null;
  readonly subject: unknown;
  readonly seen: unknown;
  readonly runId: string | null;
  readonly deliveryId: string | null;
  readonly times: number;
  readonly at: string;
}

export interface ObservationQuery {
  readonly verdict: Verdict | null;
  readonly limit: number;
  /** The observation before the page. */
  readonly before: string | null;
  /** Whether observations of deliveries are included. */
  readonly withDeliveries: boolean;
}

/** A trigger's observations that are visible in the projects, newest first. */
export async function listObservations(
  db: Queryable,
  projects: Projects,
  trigger: string,
  { verdict, limit, before, withDeliveries }: ObservationQuery,
): Promise<Observation[]> {
  const { rows } = await db.query<Observation>(
    `SELECT o.id::text AS id, o.trigger_name AS trigger, o.kind, o.verdict, o.reason, o.subject, o.seen, o.run_id AS "runId", o.delivery_id AS "deliveryId", o.times, ${instantSql('o.at')} AS at
     FROM workflow.observation o
     WHERE o.trigger_name = $1 AND ($2::text[] IS NULL OR o.project IS NULL OR o.project = ANY($2::text[]))
       AND ($3::text IS NULL OR o.verdict = $3::text) AND ($4::bigint IS NULL OR o.id < $4::bigint) AND ($6 OR o.kind <> 'delivery')
     ORDER BY o.id DESC LIMIT $5`,
    [trigger, projectList(projects), verdict, before, limit, withDeliveries],
  );
  return rows;
}

export interface StoredDelivery {
  readonly id: string;
  readonly triggerName: string;
  readonly body: Buffer;
  readonly receivedAt: string;
}

export interface NewDelivery extends Omit<StoredDelivery, 'receivedAt'> {
  /** The request that sent it. */
  readonly requestId: string | null;
}

export async function insertDelivery(
  db: Queryable,
  { id, triggerName, body, requestId }: NewDelivery,
): Promise<void> {
  await db.query(
    'INSERT INTO workflow.received_delivery (id, trigger_name, body, request_id) VALUES ($1, $2, $3, $4)',
    [id, triggerName, body, requestId],
  );
}

const DELIVERY = `d.id, d.trigger_name AS "triggerName", d.body, ${instantSql('d.received_at')} AS "receivedAt"`;

export async function findDelivery(db: Queryable, id: string): Promise<StoredDelivery | null> {
  const { rows } = await db.query<StoredDelivery>(
    `SELECT ${DELIVERY} FROM workflow.received_delivery d WHERE d.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** A trigger's deliveries in a span of time, newest first. */
export async function listDeliveries(
  db: Queryable,
  trigger: string,
  since: string | null,
  until: string | null,
  limit: number,
): Promise<StoredDelivery[]> {
  const { rows } = await db.query<StoredDelivery>(
    `SELECT ${DELIVERY} FROM workflow.received_delivery d
     WHERE d.trigger_name = $1 AND ($2::timestamptz IS NULL OR d.received_at >= $2::timestamptz) AND ($3::timestamptz IS NULL OR d.received_at <= $3::timestamptz)
     ORDER BY d.received_at DESC, d.id DESC LIMIT $4`,
    [trigger, since, until, limit],
  );
  return rows;
}
