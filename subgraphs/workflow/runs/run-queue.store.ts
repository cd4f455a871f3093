// SQL of runs on their way through the queue: put in, claimed under a lease, kept alive, and settled once.
import type { Acting } from '../../../platform/acting.ts';
import type { TriggerType } from '../../../platform/config/trigger-definition.ts';
import type { JsonValue } from '../../../platform/json.ts';
import { instantSql, type Queryable } from '../../../platform/queryable.ts';
import type { RetryPolicy } from '../triggers/trigger-definition.ts';
import type { RunStatus, Unresolved } from './run.ts';

/** Notified whenever a run has been queued. */
export const QUEUE_CHANNEL = 'workflow_run';

export interface NewRun {
  readonly id: string;
  readonly triggerName: string | null;
  readonly triggerType: TriggerType | null;
  readonly adapter: string | null;
  readonly action: unknown;
  readonly cause: unknown;
  readonly actor: string;
  /** With whose rights it acts, at most. */
  readonly acting: Acting;
  /** The stored delivery that it is for. */
  readonly deliveryId?: string;
  /** By which configuration it was queued; null: by any. */
  readonly configuration: string | null;
}

export interface ClaimedRun {
  readonly id: string;
  readonly triggerName: string | null;
  readonly action: JsonValue;
  readonly cause: JsonValue;
  readonly acting: Acting;
  readonly fence: string;
}

export interface Counts {
  readonly fetched: number;
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly failed: number;
}

export type Ending = Extract<RunStatus, 'success' | 'partial_success' | 'failed'>;

export interface Settlement {
  /** Work on it was broken off, and not by what it does. */
  readonly interrupted?: boolean;
  readonly status: Ending;
  readonly errors: readonly JsonValue[];
  readonly unresolved: readonly Unresolved[];
  /** Absent: those of the last heartbeat stand. */
  readonly counts?: Counts;
}

export interface SettledRun {
  readonly id: string;
  readonly triggerName: string | null;
  readonly acting: Acting;
}

/** Projects as they are stored: null for all of them. */
export const actingValues = ({
  roles,
  projects,
  credential,
}: Acting): readonly [readonly string[], readonly string[] | null, string | null] => [
  roles,
  projects === '*' ? null : projects,
  credential,
];

/** The project that a run works in; null where it is none or several. */
export const projectOf = ({ projects }: Acting): string | null =>
  projects !== '*' && projects.length === 1 ? (projects[0] ?? null) : null;

/** `acting` of a row. */
const ACTING = `jsonb_build_object('roles', r.acts_roles, 'projects', coalesce(to_jsonb(r.acts_projects), '"*"'), 'credential', r.acts_credential) AS acting`;

/** Puts a run into the queue; a `skipped` one is only put down in the log. */
export async function insertRun(
  db: Queryable,
  run: NewRun,
  status: 'queued' | 'skipped' = 'queued',
): Promise<void> {
  await db.query(
    `INSERT INTO workflow.run (id, trigger_name, trigger_type, adapter, action, cause, status, actor, project, configuration, acts_roles, acts_projects, acts_credential, delivery_id,
       queued_at, finished_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, clock_timestamp(), CASE WHEN $7 = 'skipped' THEN clock_timestamp() END)`,
    [
      run.id,
      run.triggerName,
      run.triggerType,
      run.adapter,
      JSON.stringify(run.action),
      JSON.stringify(run.cause),
      status,
      run.actor,
      projectOf(run.acting),
      run.configuration,
      ...actingValues(run.acting),
      run.deliveryId ?? null,
    ],
  );
  if (status === 'queued') await db.query('SELECT pg_notify($1, $2)', [QUEUE_CHANNEL, run.id]);
}

/** Who takes runs, and by which configuration; null: by any. */
export interface Claimant {
  readonly owner: string;
  readonly configuration: string | null;
}

export interface Claim {
  readonly most: number;
  readonly leaseMs: number;
  /** Names of triggers whose runs are left; an empty one stands for runs without a trigger. */
  readonly besides?: readonly string[];
}

/** Seconds between two attempts, at most. */
const LONGEST_BACKOFF = 3600;

/** A process that was not seen for so long has ended, or as good as that. */
const GONE = "interval '20 seconds'";

/** Runs that were queued by the configuration in the parameter, or by one that nobody runs by any more. */
const isOurs = (
  parameter: string,
): string => `(configuration IS NULL OR ${parameter}::text IS NULL OR configuration = ${parameter}::text
         OR NOT EXISTS (SELECT 1 FROM workflow.engine e WHERE e.configuration = workflow.run.configuration AND e.seen_at > clock_timestamp() - ${GONE}))`;

/** Interrupted runs wait for their next attempt. */
const IS_DUE = '(not_before IS NULL OR not_before <= clock_timestamp())';

/** The oldest queued runs become this owner's: each is claimed by one owner, whoever else claims at the same time. */
export async function claimRuns(
  db: Queryable,
  { owner, configuration }: Claimant,
  { most, leaseMs, besides = [] }: Claim,
): Promise<ClaimedRun[]> {
  const { rows } = await db.query<ClaimedRun>(
    `WITH next AS (
       SELECT id FROM workflow.run WHERE status = 'queued' AND ${IS_DUE} AND ${isOurs('$4')} AND coalesce(trigger_name, '') <> ALL($5::text[]) ORDER BY queued_at, id LIMIT $2 FOR UPDATE SKIP LOCKED)
     UPDATE workflow.run r SET status = 'running', started_at = clock_timestamp(), fence = r.fence + 1,
       lease_owner = $1, lease_expires_at = clock_timestamp() + $3 * interval '1 millisecond'
     FROM next WHERE r.id = next.id
     RETURNING r.id, r.trigger_name AS "triggerName", r.action, r.cause, ${ACTING}, r.fence::text AS fence`,
    [owner, most, leaseMs, configuration, besides],
  );
  return rows;
}

/** Puts back what the owner has claimed without hearing of it: whatever it does not work. */
export async function giveBackRuns(db: Queryable, owner: string, worked: readonly string[]): Promise<void> {
  await db.query(
    `UPDATE workflow.run SET status = 'queued', started_at = NULL, lease_owner = NULL, lease_expires_at = NULL WHERE lease_owner = $1 AND status = 'running' AND id <> ALL($2::text[])`,
    [owner, worked],
  );
}

/** Keeps the lease and puts the counts down; false where the run is no longer ours: lost or cancelled. */
export async function keepLease(
  db: Queryable,
  { id, fence }: Pick<ClaimedRun, 'id' | 'fence'>,
  leaseMs: number,
  counts: Counts,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE workflow.run SET lease_expires_at = clock_timestamp() + $3 * interval '1 millisecond',
       records_fetched = $4, records_created = $5, records_updated = $6, records_skipped = $7, records_failed = $8
     WHERE id = $1 AND fence = $2 AND status = 'running'`,
    [id, fence, leaseMs, counts.fetched, counts.created, counts.updated, counts.skipped, counts.failed],
  );
  return rowCount === 1;
}

/** Most entities that a run declares as produced: a jsonb array has its limits. All of them are in `run_entity`. */
const MOST_DECLARED = 500_000;

/** Ends a run that the fence still belongs to; null where it has ended already. */
export async function settleRun(
  db: Queryable,
  { id, fence }: Pick<ClaimedRun, 'id' | 'fence'>,
  { status, errors, unresolved, counts }: Settlement,
  entityType: string | null,
): Promise<SettledRun | null> {
  const { rows } = await db.query<SettledRun>(
    `UPDATE workflow.run r SET status = $3, finished_at = clock_timestamp(), errors = r.errors || $4::jsonb, unresolved = $5, lease_owner = NULL, lease_expires_at = NULL,
       records_fetched = coalesce($6, records_fetched), records_created = coalesce($7, records_created), records_updated = coalesce($8, records_updated),
       records_skipped = coalesce($9, records_skipped), records_failed = coalesce($10, records_failed),
       produced = coalesce((SELECT jsonb_agg(jsonb_build_object('entity_type', $11::text, 'entity_id', e.entity_id))
         FROM (SELECT x.entity_id FROM workflow.run_entity x WHERE x.run_id = r.id ORDER BY x.entity_id LIMIT ${MOST_DECLARED}) e), '[]')
     WHERE id = $1 AND fence = $2 AND status = 'running'
     RETURNING r.id, r.trigger_name AS "triggerName", ${ACTING}`,
    [
      id,
      fence,
      status,
      JSON.stringify(errors),
      JSON.stringify(unresolved),
      counts?.fetched,
      counts?.created,
      counts?.updated,
      counts?.skipped,
      counts?.failed,
      entityType,
    ],
  );
  return rows[0] ?? null;
}

/** Records that were under way count as failed: the counts stay exact. */
const REST_FAILED = 'records_failed = records_fetched - records_created - records_updated - records_skipped';

/** Runs whose worker has let the lease run out, each given to one who asks, for as long as its transaction lasts. */
export async function abandonedRuns(
  db: Queryable,
  configuration: string | null,
): Promise<Pick<ClaimedRun, 'id' | 'triggerName' | 'fence'>[]> {
  const { rows } = await db.query<Pick<ClaimedRun, 'id' | 'triggerName' | 'fence'>>(
    `SELECT id, trigger_name AS "triggerName", fence::text AS fence FROM workflow.run
     WHERE status = 'running' AND lease_expires_at < clock_timestamp() AND ${isOurs('$1')} FOR UPDATE SKIP LOCKED`,
    [configuration],
  );
  return rows;
}

/** A run whose worker is gone fails; what it had counted stands. */
export async function failRun(
  db: Queryable,
  { id, fence }: Pick<ClaimedRun, 'id' | 'fence'>,
  error: JsonValue,
): Promise<SettledRun | null> {
  const { rows } = await db.query<SettledRun>(
    `UPDATE workflow.run r SET status = 'failed', finished_at = clock_timestamp(), fence = r.fence + 1, lease_owner = NULL, lease_expires_at = NULL,
       errors = r.errors || $3::jsonb, ${REST_FAILED}
     WHERE r.id = $1 AND r.fence = $2 AND r.status = 'running'
     RETURNING r.id, r.trigger_name AS "triggerName", ${ACTING}`,
    [id, fence, JSON.stringify([error])],
  );
  return rows[0] ?? null;
}

/** Puts a run back for another attempt, with what kept this one from its end; false where it has had as many as it may. Its counts begin again. */
export async function requeueRun(
  db: Queryable,
  { id, fence }: Pick<ClaimedRun, 'id' | 'fence'>,
  { attempts, backoff }: Pick<RetryPolicy, 'attempts' | 'backoff'>,
  errors: readonly JsonValue[],
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE workflow.run SET status = 'queued', started_at = NULL, fence = fence + 1, lease_owner = NULL, lease_expires_at = NULL, attempt = attempt + 1,
       not_before = clock_timestamp() + least($4 * power(2, attempt - 1), ${LONGEST_BACKOFF}) * interval '1 second', errors = errors || $5::jsonb,
       records_fetched = 0, records_created = 0, records_updated = 0, records_skipped = 0, records_failed = 0
     WHERE id = $1 AND fence = $2 AND status = 'running' AND attempt < $3`,
    [id, fence, attempts, backoff, JSON.stringify(errors)],
  );
  return rowCount === 1;
}

/** Ends a run that has not ended; the worker notices at its next heartbeat. False where there was nothing to end. */
export async function cancelRun(db: Queryable, id: string, error: JsonValue): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE workflow.run SET status = 'failed', finished_at = clock_timestamp(), fence = fence + 1, lease_owner = NULL, lease_expires_at = NULL, errors = errors || $2::jsonb, ${REST_FAILED}
     WHERE id = $1 AND status IN ('queued', 'running')`,
    [id, JSON.stringify([error])],
  );
  return rowCount === 1;
}

/** Notes which entities a run has written. */
export async function insertRunEntities(
  db: Queryable,
  runId: string,
  entityIds: readonly string[],
): Promise<void> {
  await db.query(
    'INSERT INTO workflow.run_entity (run_id, entity_id) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING',
    [runId, entityIds],
  );
}

/** When the trigger's last run began that kept all it was given; null before the first. What failed since, or changed while it ran, is pulled again. */
export async function lastCompleteStart(
  db: Queryable,
  triggerName: string,
  adapter: string,
): Promise<string | null> {
  const { rows } = await db.query<{ at: string }>(
    `SELECT ${instantSql('started_at')} AS at FROM workflow.run
     WHERE trigger_name = $1 AND adapter = $2 AND status = 'success' ORDER BY queued_at DESC LIMIT 1`,
    [triggerName, adapter],
  );
  return rows[0]?.at ?? null;
}

/** Whether a run of the trigger waits or works; one that was interrupted and waits for another attempt keeps nobody. */
export async function isBusy(db: Queryable, triggerName: string): Promise<boolean> {
  const { rows } = await db.query<{ busy: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM workflow.run WHERE trigger_name = $1 AND (status = 'running' OR (status = 'queued' AND ${IS_DUE}))) AS busy`,
    [triggerName],
  );
  return rows[0]?.busy === true;
}
