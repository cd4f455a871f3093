// SQL of productions on their way: asked for, joined, claimed under a lease, kept alive, and settled once.
import type { JsonValue } from '../../../platform/json.ts';
import type { Queryable } from '../../../platform/queryable.ts';

/** Notified with the id of a production that was queued, was cancelled, or has ended. */
export const PRODUCTION_CHANNEL = 'artifact_production';

export interface RequesterJson {
  readonly actor: string;
  readonly roles: readonly string[];
  readonly projects: '*' | readonly string[];
}

export interface NewProduction {
  readonly id: string;
  readonly requestKey: string;
  readonly entityType: string;
  readonly criteria: unknown;
  readonly parameters: unknown;
  readonly requestedRule: string | null;
  readonly rule: string | null;
  readonly plan: unknown;
  readonly caller: RequesterJson;
}

export interface ClaimedProduction {
  readonly id: string;
  readonly entityType: string;
  readonly criteria: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, JsonValue>>;
  readonly requestedRule: string | null;
  readonly caller: RequesterJson;
  readonly fence: string;
  readonly runElsewhere: RunElsewhere | null;
}

/** A run at a service elsewhere. */
export interface RunElsewhere {
  /** As the service calls it. */
  readonly run: string;
  /** Digest of the workflow and of all that was given to it. */
  readonly work: string;
}

export type Ending = 'completed' | 'failed' | 'cancelled';

const CLAIMED = `p.id, p.entity_type AS "entityType", p.criteria, p.parameters, p.requested_rule AS "requestedRule", p.caller, p.fence::text AS fence, p.run_elsewhere AS "runElsewhere"`;
const notify = (db: Queryable, id: string): Promise<unknown> =>
  db.query('SELECT pg_notify($1, $2)', [PRODUCTION_CHANNEL, id]);

/** Puts a production into the queue; false where an equal one is under way: the database lets in no second one. */
export async function insertProduction(db: Queryable, production: NewProduction): Promise<boolean> {
  const { id, requestKey, entityType, criteria, parameters, requestedRule, rule, plan, caller } = production;
  const { rowCount } = await db.query(
    `INSERT INTO artifact.production (id, request_key, entity_type, criteria, parameters, requested_rule, rule, plan, caller, requested_by, status, requested_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'queued', clock_timestamp())
     ON CONFLICT (request_key) WHERE status IN ('queued', 'running') DO NOTHING`,
    [
      id,
      requestKey,
      entityType,
      JSON.stringify(criteria),
      JSON.stringify(parameters),
      requestedRule,
      rule,
      JSON.stringify(plan),
      JSON.stringify(caller),
      caller.actor,
    ],
  );
  if (rowCount !== 1) return false;
  await notify(db, id);
  return true;
}

/** The equal production that is under way, held so that it does not end or get cancelled meanwhile; null where there is none any more. */
export async function holdUnderWay(db: Queryable, requestKey: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM artifact.production WHERE request_key = $1 AND status IN ('queued', 'running') FOR UPDATE`,
    [requestKey],
  );
  return rows[0]?.id ?? null;
}

export async function addWaiter(db: Queryable, id: string, waiter: string): Promise<void> {
  await db.query(
    'INSERT INTO artifact.production_waiter (production_id, waiter) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [id, waiter],
  );
}

/** Takes one waiter away; answers how many are left. The production is held from here to the end of the transaction. */
export async function removeWaiter(db: Queryable, id: string, waiter: string): Promise<number> {
  await db.query('SELECT 1 FROM artifact.production WHERE id = $1 FOR UPDATE', [id]);
  await db.query('DELETE FROM artifact.production_waiter WHERE production_id = $1 AND waiter = $2', [
    id,
    waiter,
  ]);
  return countWaiters(db, id);
}

export async function countWaiters(db: Queryable, id: string): Promise<number> {
  const { rows } = await db.query<{ waiters: number }>(
    'SELECT count(*)::int AS waiters FROM artifact.production_waiter WHERE production_id = $1',
    [id],
  );
  return rows[0]?.waiters ?? 0;
}

/** Productions that the waiter waits for and that have not ended. */
export async function listAwaited(db: Queryable, waiter: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT w.production_id AS id FROM artifact.production_waiter w JOIN artifact.production p ON p.id = w.production_id
     WHERE w.waiter = $1 AND p.status IN ('queued', 'running')`,
    [waiter],
  );
  return rows.map(({ id }) => id);
}

const CLAIM = `SET status = 'running', started_at = coalesce(p.started_at, clock_timestamp()), fence = p.fence + 1, attempts = p.attempts + 1,
  lease_owner = $1, lease_expires_at = clock_timestamp() + $2 * interval '1 millisecond'`;

/** The oldest queued productions become this owner's: each is claimed by one owner, whoever else claims at the same time. */
export async function claimProductions(
  db: Queryable,
  owner: string,
  leaseMs: number,
  most: number,
): Promise<ClaimedProduction[]> {
  const { rows } = await db.query<ClaimedProduction>(
    `WITH next AS (
       SELECT id FROM artifact.production WHERE status = 'queued' ORDER BY requested_at, id LIMIT $3 FOR UPDATE SKIP LOCKED)
     UPDATE artifact.production p ${CLAIM} FROM next WHERE p.id = next.id RETURNING ${CLAIMED}`,
    [owner, leaseMs, most],
  );
  return rows;
}

/** One production that is queued, for whoever needs its result and cannot wait for its turn; null where it is not queued any more. */
export async function claimProduction(
  db: Queryable,
  owner: string,
  leaseMs: number,
  id: string,
): Promise<ClaimedProduction | null> {
  const { rows } = await db.query<ClaimedProduction>(
    `UPDATE artifact.production p ${CLAIM} WHERE p.id = $3 AND p.status = 'queued' RETURNING ${CLAIMED}`,
    [owner, leaseMs, id],
  );
  return rows[0] ?? null;
}

export type Held = Pick<ClaimedProduction, 'id' | 'fence'>;

/** Keeps the lease, and the end of the log; false where the production is no longer ours: lost or cancelled. */
export async function keepLease(
  db: Queryable,
  { id, fence }: Held,
  leaseMs: number,
  log: string | null,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE artifact.production SET lease_expires_at = clock_timestamp() + $3 * interval '1 millisecond', log = coalesce($4, log)
     WHERE id = $1 AND fence = $2 AND status = 'running'`,
    [id, fence, leaseMs, log],
  );
  return rowCount === 1;
}

/** Puts down what is about to be run. */
export async function noteRun(
  db: Queryable,
  { id, fence }: Held,
  run: {
    readonly rule: string | null;
    readonly plan: unknown;
    readonly runner: string | null;
    readonly inputs: unknown;
  },
): Promise<void> {
  await db.query(
    'UPDATE artifact.production SET rule = $3, plan = $4, runner = $5, inputs = $6 WHERE id = $1 AND fence = $2',
    [id, fence, run.rule, JSON.stringify(run.plan), run.runner, JSON.stringify(run.inputs)],
  );
}

/** Puts down the files that it is given: what they are now, whatever becomes of where they were. */
export async function noteGiven(db: Queryable, { id, fence }: Held, files: unknown): Promise<void> {
  await db.query('UPDATE artifact.production SET input_files = $3 WHERE id = $1 AND fence = $2', [
    id,
    fence,
    JSON.stringify(files),
  ]);
}

/** Puts down the run elsewhere, for whoever begins the production again; false where it is no longer ours. */
export async function noteRunElsewhere(
  db: Queryable,
  { id, fence }: Held,
  run: RunElsewhere,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE artifact.production SET run_elsewhere = $3 WHERE id = $1 AND fence = $2 AND status = 'running'`,
    [id, fence, JSON.stringify(run)],
  );
  return rowCount === 1;
}

/** Runs elsewhere of productions that were ended while nobody worked on them, or that were not ended there for certain. */
export async function listLeftRuns(
  db: Queryable,
  limit: number,
): Promise<{ readonly id: string; readonly run: string }[]> {
  const { rows } = await db.query<{ id: string; run: string }>(
    `SELECT id, run_elsewhere ->> 'run' AS run FROM artifact.production WHERE run_elsewhere IS NOT NULL AND status NOT IN ('queued', 'running') ORDER BY finished_at LIMIT $1`,
    [limit],
  );
  return rows;
}

export async function forgetRunElsewhere(db: Queryable, id: string): Promise<void> {
  await db.query(
    `UPDATE artifact.production SET run_elsewhere = NULL WHERE id = $1 AND status NOT IN ('queued', 'running')`,
    [id],
  );
}

export interface Settlement {
  readonly status: Ending;
  /** What it declares to have made, or to have found: what was asked for first. */
  readonly produced: readonly { readonly entity_type: string; readonly entity_id: string }[];
  readonly error: unknown;
  readonly log: string | null;
}

/** Ends a production that the fence still belongs to; false where it has ended already. */
export async function settleProduction(
  db: Queryable,
  { id, fence }: Held,
  { status, produced, error, log }: Settlement,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE artifact.production SET status = $3, finished_at = clock_timestamp(), entity_ids = $4, produced = $5, error = $6, log = coalesce($7, log), run_elsewhere = NULL, lease_owner = NULL, lease_expires_at = NULL
     WHERE id = $1 AND fence = $2 AND status = 'running'`,
    [
      id,
      fence,
      status,
      produced.map((p) => p.entity_id),
      JSON.stringify(produced),
      error === null ? null : JSON.stringify(error),
      log,
    ],
  );
  if (rowCount === 1) await notify(db, id);
  return rowCount === 1;
}

/** Ends a production that has not ended; whoever works on it is told. False where there was nothing to end. */
export async function cancelProduction(db: Queryable, id: string, error: unknown): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE artifact.production SET status = 'cancelled', finished_at = clock_timestamp(), fence = fence + 1, error = $2, lease_owner = NULL, lease_expires_at = NULL
     WHERE id = $1 AND status IN ('queued', 'running')`,
    [id, JSON.stringify(error)],
  );
  if (rowCount === 1) await notify(db, id);
  return rowCount === 1;
}

/** Whoever holds productions under a lease that has not ended. */
export async function listOwners(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ owner: string }>(
    `SELECT DISTINCT lease_owner AS owner FROM artifact.production WHERE status = 'running' AND lease_owner IS NOT NULL AND lease_expires_at >= clock_timestamp()`,
  );
  return rows.map(({ owner }) => owner);
}

/** Ends the leases of workers that are known to be dead. */
export async function endLeases(db: Queryable, owners: readonly string[]): Promise<void> {
  await db.query(
    `UPDATE artifact.production SET lease_expires_at = clock_timestamp() - interval '1 millisecond' WHERE status = 'running' AND lease_owner = ANY($1::text[])`,
    [owners],
  );
}

/** Productions whose worker has let the lease run out go back into the queue; those that were begun `mostAttempts` times fail. */
export async function recoverAbandoned(
  db: Queryable,
  mostAttempts: number,
  error: unknown,
): Promise<{ id: string; status: string }[]> {
  const { rows } = await db.query<{ id: string; status: string }>(
    `WITH abandoned AS (
       SELECT id FROM artifact.production WHERE status = 'running' AND lease_expires_at < clock_timestamp() FOR UPDATE SKIP LOCKED)
     UPDATE artifact.production p SET fence = p.fence + 1, lease_owner = NULL, lease_expires_at = NULL,
       status = CASE WHEN p.attempts < $1 THEN 'queued' ELSE 'failed' END,
       finished_at = CASE WHEN p.attempts < $1 THEN NULL ELSE clock_timestamp() END,
       error = CASE WHEN p.attempts < $1 THEN p.error ELSE $2::jsonb END
     FROM abandoned WHERE p.id = abandoned.id RETURNING p.id, p.status`,
    [mostAttempts, JSON.stringify(error)],
  );
  for (const { id } of rows) await notify(db, id);
  return rows;
}

/** Gives a production back whose work was stopped for the process's sake, not its own. */
export async function requeueProduction(db: Queryable, { id, fence }: Held): Promise<void> {
  await db.query(
    `UPDATE artifact.production SET status = 'queued', attempts = attempts - 1, fence = fence + 1, lease_owner = NULL, lease_expires_at = NULL WHERE id = $1 AND fence = $2 AND status = 'running'`,
    [id, fence],
  );
}

export interface Progress {
  readonly status: string;
  readonly fence: string;
  readonly entityIds: readonly string[];
  readonly error: JsonValue;
}

export async function findProgress(db: Queryable, id: string): Promise<Progress | null> {
  const { rows } = await db.query<Progress>(
    'SELECT status, fence::text AS fence, entity_ids AS "entityIds", error FROM artifact.production WHERE id = $1',
    [id],
  );
  return rows[0] ?? null;
}

/** Those that are being worked on, with their fences: whose directories are in use. */
export async function listRunning(db: Queryable): Promise<Held[]> {
  const { rows } = await db.query<Held>(
    `SELECT id, fence::text AS fence FROM artifact.production WHERE status = 'running'`,
  );
  return rows;
}
