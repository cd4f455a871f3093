// SQL of productions as a queue: requested, joined, claimed under a lease, renewed, and finished once.
import type { JsonValue } from '../../../platform/json.ts';
import { type LeasedJob, QueueTable } from '../../../platform/lease-queue/queue-table.store.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import type { Reuse } from '../planning/plan.ts';
import type { StoredImage } from './production.ts';
import type { RunElsewhere } from './runs-elsewhere.store.ts';

/** Notified with the id of a production that was queued, was cancelled, or has ended. */
export const PRODUCTION_CHANNEL = 'artifact_production';

export interface RequesterJson {
  readonly actor: string;
  readonly roles: readonly string[];
  readonly projects: '*' | readonly string[];
  /** The requester's credential; absent without one, and for productions from before it was recorded. */
  readonly credential?: string;
}

export interface NewProduction {
  readonly id: string;
  readonly requestKey: string;
  readonly entityType: string;
  readonly criteria: unknown;
  readonly parameters: unknown;
  readonly requestedRule: string | null;
  readonly reuse: Reuse;
  readonly rule: string | null;
  readonly plan: unknown;
  readonly planHash: string;
  readonly caller: RequesterJson;
  /** The request that asked for it first. */
  readonly requestId: string;
}

export interface ClaimedProduction extends LeasedJob {
  readonly entityType: string;
  readonly criteria: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, JsonValue>>;
  readonly requestedRule: string | null;
  readonly reuse: Reuse;
  readonly caller: RequesterJson;
  /** The remote run of an earlier attempt. */
  readonly runElsewhere: RunElsewhere | null;
}

const PRODUCTIONS = new QueueTable<ClaimedProduction>({
  table: 'artifact.production',
  queuedAt: 'requested_at',
  attempts: 'attempts',
  // started_at is that of the first attempt. An attempt is counted when it begins, so that one that a stopped
  // process gives back is not counted
  onClaim: 'started_at = coalesce(r.started_at, clock_timestamp()), attempts = r.attempts + 1',
  onGiveBack: 'attempts = r.attempts - 1',
  columns: `r.id, r.entity_type AS "entityType", r.criteria, r.parameters, r.requested_rule AS "requestedRule", r.reuse, r.caller, r.fence::text AS fence, r.run_elsewhere AS "runElsewhere"`,
});
const notify = (db: Queryable, id: string): Promise<unknown> =>
  db.query('SELECT pg_notify($1, $2)', [PRODUCTION_CHANNEL, id]);

/** Queues a production; false if an equal one is queued or running: a unique index allows only one. */
export async function insertProduction(db: Queryable, production: NewProduction): Promise<boolean> {
  const { id, requestKey, entityType, criteria, parameters, requestedRule, reuse, rule, plan, caller } =
    production;
  const { rowCount } = await db.query(
    `INSERT INTO artifact.production (id, request_key, entity_type, criteria, parameters, requested_rule, rule, plan, caller, requested_by, reuse, plan_hash, request_id, status, requested_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'queued', clock_timestamp())
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
      reuse,
      production.planHash,
      production.requestId,
    ],
  );
  if (rowCount !== 1) return false;
  await notify(db, id);
  return true;
}

/**
 * From now on the production, which is locked, reuses fresh results alone: who makes it looks at this before it ends
 * (docs/reference/artifact.md#one-production-per-request).
 */
export async function askForFresh(db: Queryable, id: string): Promise<void> {
  await db.query(`UPDATE artifact.production SET reuse = 'fresh' WHERE id = $1 AND reuse <> 'fresh'`, [id]);
}

/** Which results it may reuse, as those who wait for it want now. */
export async function findReuse(db: Queryable, id: string): Promise<Reuse> {
  const { rows } = await db.query<{ reuse: Reuse }>('SELECT reuse FROM artifact.production WHERE id = $1', [
    id,
  ]);
  return rows[0]?.reuse ?? 'any';
}

/**
 * The equal production that is queued or running, locked so that it cannot end or be cancelled before the
 * transaction ends; null if there is none any more.
 */
export async function holdUnderWay(db: Queryable, requestKey: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM artifact.production WHERE request_key = $1 AND status IN ('queued', 'running') FOR UPDATE`,
    [requestKey],
  );
  return rows[0]?.id ?? null;
}

/** Claims the oldest queued productions for this owner. */
export const claimProductions = (
  db: Queryable,
  owner: string,
  leaseMs: number,
  most: number,
): Promise<ClaimedProduction[]> => PRODUCTIONS.claim(db, owner, { most, leaseMs });

/**
 * Claims one queued production, for a worker that needs its result and cannot wait for its turn; null if it
 * is no longer queued.
 */
export async function claimProduction(
  db: Queryable,
  owner: string,
  leaseMs: number,
  id: string,
): Promise<ClaimedProduction | null> {
  const [claimed] = await PRODUCTIONS.claim(
    db,
    owner,
    { most: 1, leaseMs },
    (param) => `r.id = ${param(id)}`,
  );
  return claimed ?? null;
}

/** Puts back claimed productions that the owner does not work, because it did not receive the answer. */
export const giveBackProductions = (db: Queryable, owner: string, worked: readonly string[]): Promise<void> =>
  PRODUCTIONS.giveBackUnknown(db, owner, worked);

/** Puts a production back that was stopped because its process stops; the attempt is not counted. */
export const giveBackProduction = (db: Queryable, production: LeasedJob): Promise<void> =>
  PRODUCTIONS.giveBack(db, production);

/** Renews the lease and stores the end of the log. @returns false if it is lost or cancelled */
export const renewProduction = (
  db: Queryable,
  production: LeasedJob,
  leaseMs: number,
  log: string | null,
): Promise<boolean> =>
  PRODUCTIONS.renew(db, production, leaseMs, (param) => `log = coalesce(${param(log)}, r.log)`);

/** Stores the plan before its execution. */
export async function noteRun(
  db: Queryable,
  { id, fence }: LeasedJob,
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

/** Stores the input files as they are now, because their sources may change. */
export async function noteGiven(db: Queryable, { id, fence }: LeasedJob, files: unknown): Promise<void> {
  await db.query('UPDATE artifact.production SET input_files = $3 WHERE id = $1 AND fence = $2', [
    id,
    fence,
    JSON.stringify(files),
  ]);
}

/** Stores the images that its workflow ran in. */
export async function noteImages(
  db: Queryable,
  { id, fence }: LeasedJob,
  images: readonly StoredImage[],
): Promise<void> {
  await db.query('UPDATE artifact.production SET images = $3 WHERE id = $1 AND fence = $2', [
    id,
    fence,
    JSON.stringify(images),
  ]);
}

export interface ProductionResult {
  readonly status: 'completed' | 'failed';
  /** The entities that it has made or found; the requested one first. */
  readonly produced: readonly { readonly entity_type: string; readonly entity_id: string }[];
  readonly error: unknown;
  readonly log: string | null;
}

/**
 * Its worker ends a production. @param reuse which results it may have reused
 * @returns false if it has already ended, or is lost, or was completed for less than is wanted now
 */
export async function finishProduction(
  db: Queryable,
  production: LeasedJob,
  { status, produced, error, log }: ProductionResult,
  reuse: Reuse,
): Promise<boolean> {
  const ids = produced.map(({ entity_id: id }) => id);
  const finished = await PRODUCTIONS.finish(
    db,
    production,
    status,
    (param) => `entity_ids = ${param(ids)}, produced = ${param(JSON.stringify(produced))},
       error = ${param(error === null ? null : JSON.stringify(error))}, log = coalesce(${param(log)}, r.log), run_elsewhere = NULL`,
    (param) => `(r.reuse = ${param(reuse)} OR ${param(status)}::text = 'failed')`,
  );
  if (finished) await notify(db, production.id);
  return finished !== null;
}

/** Ends a production that has not ended, and notifies its worker. @returns false if it has ended */
export async function cancelProduction(db: Queryable, id: string, error: unknown): Promise<boolean> {
  const cancelled = await PRODUCTIONS.end(
    db,
    { id },
    'cancelled',
    (param) => `error = ${param(JSON.stringify(error))}`,
  );
  if (cancelled) await notify(db, id);
  return cancelled !== null;
}

/** Ends the leases of dead workers. @param owner of the calling worker, which is alive */
export async function endLeasesOfDead(
  db: Queryable,
  owner: string,
  isDead: (owner: string) => Promise<boolean>,
): Promise<void> {
  const others = (await PRODUCTIONS.listOwners(db)).filter((other) => other !== owner);
  const areDead = await Promise.all(others.map(isDead));
  const dead = others.filter((_, i) => areDead[i]);
  if (dead.length > 0) await PRODUCTIONS.endLeases(db, dead);
}

/**
 * Puts productions with expired leases back into the queue; those that were begun `maxAttempts` times fail.
 */
export async function recoverAbandoned(
  tx: Queryable,
  maxAttempts: number,
  error: unknown,
): Promise<{ readonly id: string; readonly status: 'queued' | 'failed' }[]> {
  const recovered: { id: string; status: 'queued' | 'failed' }[] = [];
  for (const production of await PRODUCTIONS.lockAbandoned(tx)) {
    const isQueued = await PRODUCTIONS.requeue(tx, production, maxAttempts);
    if (!isQueued)
      await PRODUCTIONS.end(tx, production, 'failed', (param) => `error = ${param(JSON.stringify(error))}`);
    await notify(tx, production.id);
    recovered.push({ id: production.id, status: isQueued ? 'queued' : 'failed' });
  }
  return recovered;
}

export interface ProductionProgress {
  readonly status: string;
  readonly fence: string;
  readonly entityIds: readonly string[];
  readonly error: JsonValue;
}

export async function findProgress(db: Queryable, id: string): Promise<ProductionProgress | null> {
  const { rows } = await db.query<ProductionProgress>(
    'SELECT status, fence::text AS fence, entity_ids AS "entityIds", error FROM artifact.production WHERE id = $1',
    [id],
  );
  return rows[0] ?? null;
}

/** Productions in progress, with their fences: their directories are in use. */
export async function listRunning(db: Queryable): Promise<LeasedJob[]> {
  const { rows } = await db.query<LeasedJob>(
    `SELECT id, fence::text AS fence FROM artifact.production WHERE status = 'running'`,
  );
  return rows;
}
