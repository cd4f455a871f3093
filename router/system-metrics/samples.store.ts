// SQL of gateway.process and gateway.metric_sample.
import { instantSql, type Queryable } from '../../platform/queryable.ts';
import type { SampledValues } from './series.ts';

export interface ThisProcess {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** ISO 8601. */
  readonly startedAt: string;
}

export interface SampleRetention {
  readonly days: number;
  /** Samples of all processes together. */
  readonly most: number;
}

/** Rows that are looked at, and deleted, with each sample: many times as many as a deployment adds meanwhile. */
const AT_ONCE = 500;

/** Adds a sample, shows that the process is there, and deletes what is old or too much: the oldest have the least ids. */
export async function addSample(
  db: Queryable,
  { id, host, pid, version, startedAt }: ThisProcess,
  readings: SampledValues,
  { days, most }: SampleRetention,
): Promise<void> {
  await db.query({
    name: 'metrics-add-sample',
    text: `WITH seen AS (
        INSERT INTO gateway.process AS p (id, host, pid, version, started_at, seen_at) VALUES ($1, $2, $3, $4, $5, clock_timestamp())
        ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp()),
      oldest AS (SELECT s.id, s.at FROM gateway.metric_sample s ORDER BY s.id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED),
      gone AS (DELETE FROM gateway.metric_sample s USING oldest o WHERE s.id = o.id
        AND (o.at < clock_timestamp() - $7 * interval '1 day' OR o.id <= (SELECT max(m.id) FROM gateway.metric_sample m) - $8::bigint)),
      ended AS (DELETE FROM gateway.process p WHERE p.seen_at < clock_timestamp() - $7 * interval '1 day')
      INSERT INTO gateway.metric_sample (at, process_id, readings) VALUES (clock_timestamp(), $1, $6)`,
    values: [id, host, pid, version, startedAt, JSON.stringify(readings), days, most],
  });
}

export interface ProcessRow extends ThisProcess {
  readonly seenAt: string;
}

/** Those seen within the times, the latest begun first. */
export async function listProcesses(
  db: Queryable,
  from: string,
  to: string,
  limit: number,
): Promise<ProcessRow[]> {
  const { rows } = await db.query<ProcessRow>(
    `SELECT p.id, p.host, p.pid, p.version, ${instantSql('p.started_at')} AS "startedAt", ${instantSql('p.seen_at')} AS "seenAt"
     FROM gateway.process p WHERE p.seen_at >= $1::timestamptz AND p.started_at < $2::timestamptz ORDER BY p.started_at DESC, p.id LIMIT $3`,
    [from, to, limit],
  );
  return rows;
}

export interface SlotRow {
  readonly name: string;
  /** Null for what is of the deployment. */
  readonly processId: string | null;
  /** The number of the step, from 0. */
  readonly slot: number;
  readonly average: number;
  readonly most: number;
}

export interface SlotQuery {
  readonly from: string;
  readonly to: string;
  readonly stepSeconds: number;
  /** Of each process. */
  readonly own: readonly string[];
  /** Of the deployment. */
  readonly common: readonly string[];
  readonly processes: readonly string[];
}

/** The samples of the times, by series, process and step. */
export async function readSlots(
  db: Queryable,
  { from, to, stepSeconds, own, common, processes }: SlotQuery,
): Promise<SlotRow[]> {
  const { rows } = await db.query<SlotRow>(
    `SELECT n.name, CASE WHEN n.is_own THEN s.process_id END AS "processId",
       floor(extract(epoch FROM s.at - $1::timestamptz) / $3)::int AS slot, avg((s.readings->>n.name)::float8) AS average, max((s.readings->>n.name)::float8) AS most
     FROM gateway.metric_sample s
     JOIN (SELECT unnest($4::text[]) AS name, true AS is_own UNION ALL SELECT unnest($5::text[]), false) n ON s.readings ? n.name
     WHERE s.at >= $1::timestamptz AND s.at < $2::timestamptz AND (NOT n.is_own OR s.process_id = ANY($6::uuid[]))
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    [from, to, stepSeconds, own, common, processes],
  );
  return rows;
}
