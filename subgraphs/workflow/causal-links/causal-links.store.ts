// SQL of causal chains: runs, and what fired them. Each statement answers for all asked nodes together.
import type { LinkQuestion, NamedId } from '../../../platform/causal-links.ts';
import type { Projects } from '../../../platform/identity.ts';
import { listed, prepared } from '../../../platform/prepared.ts';
import { instantSql, projectList, type Queryable } from '../../../platform/queryable.ts';
import { RUN_VISIBLE } from '../run-records/runs.store.ts';

type Bounds = Pick<LinkQuestion, 'limit' | 'skip' | 'asOf'>;

/** By its commit, as far as that is kept: of what is older nothing is yet to be committed. */
const THERE = (at: string): string =>
  `(${at} IS NULL OR (r.queued_at <= ${at} AND NOT EXISTS (
    SELECT FROM workflow.past_state s WHERE s.relation = 'run' AND s.key = r.id COLLATE "C" AND s.until > ${at} AND s.state IS NULL)))`;
const SEEN = `${RUN_VISIBLE} AND ${THERE('$2::timestamptz')}`;

/** What fired the run `r`. The firing of a poll and a delivery may be deleted before the run is. */
const FIRED_BY = `r.caused_by AS "causedBy", CASE WHEN r.caused_by LIKE 'run:%' THEN r.cause ->> 'event' END AS event,
  ${instantSql('e.finished_at')} AS "emittedAt", d.id AS delivery, d.request_id::text AS "sentBy", f.caused_by AS found,
  (r.delivery_id IS NOT NULL AND d.id IS NULL) OR (r.trigger_type = 'metadata_poll' AND r.caused_by LIKE 'version:%' AND f.run_id IS NULL) AS "isCut"`;
const ORIGINS = `LEFT JOIN workflow.run e ON r.caused_by LIKE 'run:%' AND e.id = substr(r.caused_by, 5)
  LEFT JOIN workflow.received_delivery d ON d.id = r.delivery_id
  LEFT JOIN workflow.firing f ON r.caused_by LIKE 'version:%' AND f.trigger_name = r.trigger_name
    AND f.firing_key = (r.cause #>> '{entity,id}') || '@' || (r.cause #>> '{entity,updated_at}') AND f.run_id = r.id`;

export interface FiredBy {
  readonly causedBy: string | null;
  readonly triggerName: string | null;
  /** The internal event, if it was one. */
  readonly event: string | null;
  /** When the run that emitted it ended. */
  readonly emittedAt: string | null;
  readonly delivery: string | null;
  /** The request that sent the delivery. */
  readonly sentBy: string | null;
  /** The event that a poll found. */
  readonly found: string | null;
  /** Whether its delivery, or what its poll has found, has been deleted. */
  readonly isCut: boolean;
}

export interface CausedRun extends FiredBy {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly triggerType: string | null;
  readonly adapter: string | null;
  readonly project: string | null;
  readonly requestId: string | null;
}

export async function listCausedRuns(
  db: Queryable,
  ids: readonly string[],
  { asOf }: Bounds,
  projects: Projects,
): Promise<CausedRun[]> {
  const { rows } = await db.query<CausedRun>(
    prepared(
      `SELECT r.id, ${instantSql('r.queued_at')} AS at, r.actor, r.trigger_name AS "triggerName", r.trigger_type AS "triggerType", r.adapter, r.project,
       r.request_id::text AS "requestId", ${FIRED_BY}
     FROM workflow.run r ${ORIGINS} WHERE r.id = ANY(${listed(3)}) AND ${SEEN}`,
      [projectList(projects), asOf, ids],
    ),
  );
  return rows;
}

export interface FiredRun extends FiredBy {
  readonly cause: string;
  readonly runId: string;
}

/**
 * The first visible runs that each of the nodes has fired.
 * @param events beside each of them: only by this event that it emitted; '' for by none, null for both
 */
export async function listFired(
  db: Queryable,
  causes: readonly string[],
  { limit, skip, asOf }: Bounds,
  projects: Projects,
  events: readonly (string | null)[],
): Promise<FiredRun[]> {
  const { rows } = await db.query<FiredRun>(
    prepared(
      `SELECT k.cause, r.id AS "runId", r."triggerName", r."causedBy", r.event, r."emittedAt", r.delivery, r."sentBy", r.found, r."isCut"
     FROM unnest(${listed(3)}, ${listed(6)}) k(cause, event) CROSS JOIN LATERAL (
       SELECT r.id, r.trigger_name AS "triggerName", ${FIRED_BY} FROM workflow.run r ${ORIGINS}
       WHERE r.caused_by = k.cause AND (k.event IS NULL OR coalesce(r.cause ->> 'event', '') = k.event) AND ${SEEN} ORDER BY r.queued_at, r.id LIMIT $4::int OFFSET $5::int) r`,
      [projectList(projects), asOf, causes, limit, skip, events],
    ),
  );
  return rows;
}

export interface EmittedEvent {
  readonly cause: string;
  readonly event: string;
}

/** The internal events by which each of the runs has fired visible ones. */
export async function listEmitted(
  db: Queryable,
  causes: readonly string[],
  { limit, skip, asOf }: Bounds,
  projects: Projects,
): Promise<EmittedEvent[]> {
  const { rows } = await db.query<EmittedEvent>(
    prepared(
      `SELECT k.cause, x.event FROM unnest(${listed(3)}) k(cause) CROSS JOIN LATERAL (
       SELECT r.cause ->> 'event' AS event FROM workflow.run r WHERE r.caused_by = k.cause AND r.cause ->> 'event' IS NOT NULL AND ${SEEN}
       GROUP BY 1 ORDER BY 1 LIMIT $4::int OFFSET $5::int) x`,
      [projectList(projects), asOf, causes, limit, skip],
    ),
  );
  return rows;
}

export interface FiringOfPoll {
  readonly triggerName: string;
  /** Of the event that was found. */
  readonly time: string;
  readonly version: string | null;
  readonly cursor: string | null;
  readonly runId: string;
  readonly at: string;
}

const POLL = `f.trigger_name AS "triggerName", k.time, r.caused_by AS version, ${instantSql('f.cursor')} AS cursor, r.id AS "runId", ${instantSql('r.queued_at')} AS at`;

/** Polls whose runs are visible, by their triggers and the events that they found. */
export async function listPolls(
  db: Queryable,
  polls: readonly NamedId[],
  { asOf }: Bounds,
  projects: Projects,
): Promise<FiringOfPoll[]> {
  const { rows } = await db.query<FiringOfPoll>(
    prepared(
      `SELECT ${POLL} FROM unnest(${listed(3)}, ${listed(4)}) k(trigger, time) JOIN workflow.firing f ON f.caused_by = 'event:' || k.time AND f.trigger_name = k.trigger
     JOIN workflow.run r ON r.id = f.run_id WHERE ${SEEN}`,
      [projectList(projects), asOf, polls.map(({ name }) => name), polls.map(({ id }) => id)],
    ),
  );
  return rows;
}

/** Polls that found the events of these times. */
export async function listPollsOfEvents(
  db: Queryable,
  times: readonly string[],
  { limit, skip, asOf }: Bounds,
  projects: Projects,
): Promise<FiringOfPoll[]> {
  const { rows } = await db.query<FiringOfPoll>(
    prepared(
      `SELECT x.* FROM unnest(${listed(3)}) k(time) CROSS JOIN LATERAL (
       SELECT ${POLL} FROM workflow.firing f JOIN workflow.run r ON r.id = f.run_id
       WHERE f.caused_by = 'event:' || k.time AND ${SEEN} ORDER BY f.trigger_name LIMIT $4::int OFFSET $5::int) x`,
      [projectList(projects), asOf, times, limit, skip],
    ),
  );
  return rows;
}

export interface StaleFound {
  readonly key: string;
  /** The key of its version. */
  readonly result: string;
  readonly triggerName: string;
  readonly since: string;
  readonly entityId: string;
  readonly productionId: string;
  readonly causes: readonly string[];
  readonly runId: string;
}

const STALE = `coalesce(f.caused_by, '') AS key, 'version:' || (r.cause #>> '{entity,version}') || ':' || (r.cause #>> '{entity,id}') AS result, f.trigger_name AS "triggerName",
  r.cause #>> '{entity,since}' AS since, r.cause #>> '{entity,id}' AS "entityId", r.cause #>> '{entity,production_id}' AS "productionId", coalesce(f.causes, '{}') AS causes, r.id AS "runId"`;

/** Stale results that triggers found, whose runs are visible. */
export async function listStaleResults(
  db: Queryable,
  keys: readonly string[],
  { asOf }: Bounds,
  projects: Projects,
): Promise<StaleFound[]> {
  const { rows } = await db.query<StaleFound>(
    prepared(
      `SELECT ${STALE} FROM workflow.firing f JOIN workflow.run r ON r.id = f.run_id
       WHERE f.caused_by = ANY(${listed(3)}) AND f.causes IS NOT NULL AND ${SEEN}`,
      [projectList(projects), asOf, keys],
    ),
  );
  return rows;
}

/** The first of those that each of these changes made stale. */
export async function listStaleResultsOf(
  db: Queryable,
  causes: readonly string[],
  { limit, skip, asOf }: Bounds,
  projects: Projects,
): Promise<(StaleFound & { readonly cause: string })[]> {
  const { rows } = await db.query<StaleFound & { readonly cause: string }>(
    prepared(
      `SELECT k.cause, x.* FROM unnest(${listed(3)}) k(cause) CROSS JOIN LATERAL (
       SELECT ${STALE} FROM workflow.firing f JOIN workflow.run r ON r.id = f.run_id
       WHERE f.causes @> ARRAY[k.cause] AND f.causes IS NOT NULL AND ${SEEN} ORDER BY f.fired_at, f.trigger_name LIMIT $4::int OFFSET $5::int) x`,
      [projectList(projects), asOf, causes, limit, skip],
    ),
  );
  return rows;
}

export interface SentDelivery {
  readonly id: string;
  readonly triggerName: string;
  readonly requestId: string | null;
  readonly at: string;
}

const DELIVERY = `d.id, d.trigger_name AS "triggerName", d.request_id::text AS "requestId", ${instantSql('d.received_at')} AS at`;
/** Of which a run is visible. */
const DELIVERY_SEEN = `EXISTS (SELECT FROM workflow.run r WHERE r.delivery_id = d.id AND ${SEEN})`;

export async function listCausedDeliveries(
  db: Queryable,
  ids: readonly string[],
  { asOf }: Bounds,
  projects: Projects,
): Promise<SentDelivery[]> {
  const { rows } = await db.query<SentDelivery>(
    prepared(
      `SELECT ${DELIVERY} FROM workflow.received_delivery d WHERE d.id = ANY(${listed(3)}) AND ${DELIVERY_SEEN}`,
      [projectList(projects), asOf, ids],
    ),
  );
  return rows;
}

export async function listSent(
  db: Queryable,
  requests: readonly string[],
  { limit, skip, asOf }: Bounds,
  projects: Projects,
): Promise<SentDelivery[]> {
  const { rows } = await db.query<SentDelivery>(
    prepared(
      `SELECT x.* FROM unnest((SELECT $3::uuid[])::uuid[]) k(id) CROSS JOIN LATERAL (
       SELECT ${DELIVERY} FROM workflow.received_delivery d WHERE d.request_id = k.id AND ${DELIVERY_SEEN} ORDER BY d.received_at, d.id LIMIT $4::int OFFSET $5::int) x`,
      [projectList(projects), asOf, requests, limit, skip],
    ),
  );
  return rows;
}

/** The first visible runs of each delivery; all but one are of redeliveries. */
export async function listRunsOfDeliveries(
  db: Queryable,
  deliveries: readonly string[],
  { limit, skip, asOf }: Bounds,
  projects: Projects,
): Promise<{ delivery: string; runId: string }[]> {
  const { rows } = await db.query<{ delivery: string; runId: string }>(
    prepared(
      `SELECT k.delivery, x.id AS "runId" FROM unnest(${listed(3)}) k(delivery) CROSS JOIN LATERAL (
       SELECT r.id FROM workflow.run r WHERE r.delivery_id = k.delivery AND ${SEEN} ORDER BY r.queued_at, r.id LIMIT $4::int OFFSET $5::int) x`,
      [projectList(projects), asOf, deliveries, limit, skip],
    ),
  );
  return rows;
}

/** Since when runs, firings and deliveries are all there; null where none were deleted. */
export async function findKeptSince(db: Queryable): Promise<Readonly<Record<string, string>> | null> {
  const { rows } = await db.query<{ kept: Record<string, string> | null }>(
    `SELECT jsonb_object_agg(what, ${instantSql('at')}) AS kept FROM workflow.kept_since`,
  );
  return rows[0]?.kept ?? null;
}
