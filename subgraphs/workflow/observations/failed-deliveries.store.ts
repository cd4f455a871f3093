// SQL of failed deliveries: those whose latest run has failed.
import { instantSql, type Queryable } from '../../../platform/queryable.ts';

export interface FailedDelivery {
  readonly id: string;
  readonly trigger: string;
  readonly receivedAt: string;
  readonly runId: string;
  /** When that run was queued. */
  readonly queuedAt: string;
}

export interface FailedDeliveryQuery {
  readonly triggers: readonly string[];
  readonly limit: number;
  /** The row before the page: its `queuedAt` and `runId`. */
  readonly after: readonly (string | number)[] | null;
}

/** Those of triggers whose bodies are stored, the latest failure first. */
export async function listFailedDeliveries(
  db: Queryable,
  { triggers, limit, after }: FailedDeliveryQuery,
): Promise<FailedDelivery[]> {
  const { rows } = await db.query<FailedDelivery>(
    `SELECT d.id, d.trigger_name AS trigger, ${instantSql('d.received_at')} AS "receivedAt", r.id AS "runId", ${instantSql('r.queued_at')} AS "queuedAt"
     FROM workflow.run r JOIN workflow.received_delivery d ON d.id = r.delivery_id
     WHERE r.delivery_id IS NOT NULL AND r.status = 'failed' AND d.trigger_name = ANY($1::text[])
       AND ($2::timestamptz IS NULL OR (r.queued_at, r.id) < ($2::timestamptz, $3::text))
       AND NOT EXISTS (SELECT FROM workflow.run later WHERE later.delivery_id = r.delivery_id AND (later.queued_at, later.id) > (r.queued_at, r.id))
     ORDER BY r.queued_at DESC, r.id DESC LIMIT $4`,
    [triggers, after?.[0] ?? null, after?.[1] ?? null, limit],
  );
  return rows;
}
