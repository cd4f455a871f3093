// SQL of runs as a queue: queued, claimed under a lease, renewed, and finished once.
import type { Acting } from '../../../platform/acting.ts';
import type { TriggerType } from '../../../platform/config/trigger-definition.ts';
import type { JsonValue } from '../../../platform/json.ts';
import {
  type Addition,
  type LeasedJob,
  QueueTable,
} from '../../../platform/lease-queue/queue-table.store.ts';
import { instantSql, projectList, type Queryable } from '../../../platform/queryable.ts';
import type { RetryPolicy } from '../trigger-model/trigger-definition.ts';
import type { Logged } from './run-log.ts';
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
  /** The request, run, tick or version of an entity that fired it (docs/reference/metadata.md#why). */
  readonly causedBy: string;
  /** The request that queued it; null where the platform did by itself. */
  readonly requestId: string | null;
  readonly actor: string;
  /** Its maximum rights. */
  readonly acting: Acting;
  /** The stored delivery that it is for. */
  readonly deliveryId?: string;
  /** Hash of the configuration under which it was queued; null: any. */
  readonly configuration: string | null;
}

export interface ClaimedRun extends LeasedJob {
  readonly triggerName: string | null;
  readonly action: JsonValue;
  readonly cause: JsonValue;
  readonly acting: Acting;
  readonly attempt: number;
  /** What there is of its log. */
  readonly logged: Logged;
}

export interface Counts {
  readonly fetched: number;
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly failed: number;
}

export type FinalStatus = Extract<RunStatus, 'success' | 'partial_success' | 'failed'>;

export interface RunResult {
  /** Work on it was interrupted, and did not fail by itself. */
  readonly interrupted?: boolean;
  readonly status: FinalStatus;
  readonly errors: readonly JsonValue[];
  readonly unresolved: readonly Unresolved[];
  /** Absent: those of the last renewal are kept. */
  readonly counts?: Counts;
}

/** Projects in stored form: null for all of them. */
export const actingValues = ({
  roles,
  projects,
  credential,
}: Acting): readonly [readonly string[], readonly string[] | null, string | null] => [
  roles,
  projectList(projects),
  credential,
];

/** The project of a run; null if there is none or several. */
export const projectOf = ({ projects }: Acting): string | null =>
  projects !== '*' && projects.length === 1 ? (projects[0] ?? null) : null;

/** `acting` of a row. */
const ACTING = `jsonb_build_object('roles', r.acts_roles, 'projects', coalesce(to_jsonb(r.acts_projects), '"*"'), 'credential', r.acts_credential) AS acting`;

/** `logged` of a row. */
const LOGGED = `coalesce((SELECT jsonb_build_object('lines', l.number, 'bytes', l.size) FROM workflow.run_log l WHERE l.run_id = r.id ORDER BY l.number DESC LIMIT 1), '{"lines": 0, "bytes": 0}') AS logged`;

const RUNS = new QueueTable<ClaimedRun>({
  table: 'workflow.run',
  queuedAt: 'queued_at',
  attempts: 'attempt',
  // the start of the latest attempt: an incremental pull begins where the last complete one did
  onClaim: 'started_at = clock_timestamp()',
  // attempts are counted when a run is put back
  onGiveBack: 'started_at = NULL',
  columns: `r.id, r.trigger_name AS "triggerName", r.action, r.cause, ${ACTING}, r.attempt, ${LOGGED}, r.fence::text AS fence`,
});

/** Queues a run; a `skipped` one is only recorded in the log. */
export async function insertRun(
  db: Queryable,
  run: NewRun,
  status: 'queued' | 'skipped' = 'queued',
): Promise<void> {
  await db.query(
    `INSERT INTO workflow.run (id, trigger_name, trigger_type, adapter, action, cause, status, actor, project, configuration, acts_roles, acts_projects, acts_credential, delivery_id, caused_by, request_id,
       queued_at, finished_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, clock_timestamp(), CASE WHEN $7 = 'skipped' THEN clock_timestamp() END)`,
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
      run.causedBy,
      run.requestId,
    ],
  );
  if (status === 'queued') await db.query('SELECT pg_notify($1, $2)', [QUEUE_CHANNEL, run.id]);
}

/** The process that takes runs, and its configuration's hash; null: any. */
export interface Claimant {
  readonly owner: string;
  readonly configuration: string | null;
}

export interface Claim {
  readonly most: number;
  readonly leaseMs: number;
  /** Names of triggers whose runs are skipped; an empty one stands for runs without a trigger. */
  readonly besides?: readonly string[];
}

/** Maximum seconds between two attempts. */
const MAX_BACKOFF_SECONDS = 3600;

/** How many seconds a run waits after an attempt. */
export const waitAfter = (attempt: number, { backoff }: Pick<RetryPolicy, 'backoff'>): number =>
  Math.min(backoff * 2 ** (attempt - 1), MAX_BACKOFF_SECONDS);

/** A process without an update for this long counts as gone. */
const GONE = "interval '20 seconds'";

/**
 * Runs that were queued under the configuration in the parameter, or under one that no process has any more.
 */
const isOurs = (parameter: string): string =>
  `(r.configuration IS NULL OR ${parameter}::text IS NULL OR r.configuration = ${parameter}::text
         OR NOT EXISTS (SELECT 1 FROM workflow.engine e WHERE e.configuration = r.configuration AND e.seen_at > clock_timestamp() - ${GONE}))`;

/** Interrupted runs wait for their next attempt. */
const IS_DUE = '(r.not_before IS NULL OR r.not_before <= clock_timestamp())';

/** Claims the oldest queued runs for this owner. */
export const claimRuns = (
  db: Queryable,
  { owner, configuration }: Claimant,
  { most, leaseMs, besides = [] }: Claim,
): Promise<ClaimedRun[]> =>
  RUNS.claim(
    db,
    owner,
    { most, leaseMs },
    (param) =>
      `${IS_DUE} AND ${isOurs(param(configuration))} AND coalesce(r.trigger_name, '') <> ALL(${param(besides)}::text[])`,
  );

/** Puts back claimed runs that the owner does not work, because it did not receive the answer. */
export const giveBackRuns = (db: Queryable, owner: string, worked: readonly string[]): Promise<void> =>
  RUNS.giveBackUnknown(db, owner, worked);

/** Renews the lease and stores the counts. @returns false if the run is lost or cancelled */
export const renewRun = (db: Queryable, run: LeasedJob, leaseMs: number, counts: Counts): Promise<boolean> =>
  RUNS.renew(
    db,
    run,
    leaseMs,
    (param) => `records_fetched = ${param(counts.fetched)}, records_created = ${param(counts.created)},
       records_updated = ${param(counts.updated)}, records_skipped = ${param(counts.skipped)}, records_failed = ${param(counts.failed)}`,
  );

/** Maximum listed entities of a run: a jsonb array has its limits. All of them are in `run_entity`. */
const MAX_DECLARED = 500_000;

/** Its worker ends a run. @returns null if it has already ended, or is lost */
export const finishRun = (
  db: Queryable,
  run: LeasedJob,
  { status, errors, unresolved, counts }: RunResult,
  entityType: string | null,
): Promise<ClaimedRun | null> =>
  RUNS.finish(
    db,
    run,
    status,
    (
      param,
    ) => `errors = r.errors || ${param(JSON.stringify(errors))}::jsonb, unresolved = ${param(JSON.stringify(unresolved))},
       records_fetched = coalesce(${param(counts?.fetched)}, r.records_fetched), records_created = coalesce(${param(counts?.created)}, r.records_created),
       records_updated = coalesce(${param(counts?.updated)}, r.records_updated), records_skipped = coalesce(${param(counts?.skipped)}, r.records_skipped),
       records_failed = coalesce(${param(counts?.failed)}, r.records_failed),
       produced = coalesce((SELECT jsonb_agg(jsonb_build_object('entity_type', ${param(entityType)}::text, 'entity_id', e.entity_id))
         FROM (SELECT x.entity_id FROM workflow.run_entity x WHERE x.run_id = r.id ORDER BY x.entity_id LIMIT ${MAX_DECLARED}) e), '[]')`,
  );

/** Runs whose lease has expired, locked until the caller's transaction ends. */
export const lockAbandonedRuns = (db: Queryable, configuration: string | null): Promise<ClaimedRun[]> =>
  RUNS.lockAbandoned(db, (param) => isOurs(param(configuration)));

/** A run's counts are kept; pending records count as failed, so that the counts stay exact. */
const failedWith =
  (error: JsonValue): Addition =>
  (param) => `errors = r.errors || ${param(JSON.stringify([error]))}::jsonb,
       records_failed = r.records_fetched - r.records_created - r.records_updated - r.records_skipped`;

/** Fails a run whose worker is gone. */
export const failRun = (db: Queryable, run: LeasedJob, error: JsonValue): Promise<ClaimedRun | null> =>
  RUNS.end(db, run, 'failed', failedWith(error));

/**
 * Puts a run back for another attempt, with the errors of this one; its counts begin again.
 * @returns false if it has no attempts left
 */
export const requeueRun = (
  db: Queryable,
  run: LeasedJob & Pick<ClaimedRun, 'attempt'>,
  retry: Pick<RetryPolicy, 'attempts' | 'backoff'>,
  errors: readonly JsonValue[],
): Promise<boolean> =>
  RUNS.requeue(
    db,
    run,
    retry.attempts,
    (
      param,
    ) => `started_at = NULL, attempt = r.attempt + 1, errors = r.errors || ${param(JSON.stringify(errors))}::jsonb,
       not_before = clock_timestamp() + ${param(waitAfter(run.attempt, retry))} * interval '1 second',
       records_fetched = 0, records_created = 0, records_updated = 0, records_skipped = 0, records_failed = 0`,
  );

/** Ends a run that has not ended; its worker notices at its next renewal. @returns null if it has ended */
export const cancelRun = (db: Queryable, id: string, error: JsonValue): Promise<ClaimedRun | null> =>
  RUNS.end(db, { id }, 'failed', failedWith(error));

/** Records the entities that a run has written. */
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

/**
 * The start of the trigger's last run that stored everything; null before the first. Records that failed or
 * changed since are pulled again.
 */
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

/** Whether a run of the trigger is queued or running; one that waits for another attempt does not count. */
export async function isBusy(db: Queryable, triggerName: string): Promise<boolean> {
  const { rows } = await db.query<{ busy: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM workflow.run r WHERE r.trigger_name = $1 AND (r.status = 'running' OR (r.status = 'queued' AND ${IS_DUE}))) AS busy`,
    [triggerName],
  );
  return rows[0]?.busy === true;
}
