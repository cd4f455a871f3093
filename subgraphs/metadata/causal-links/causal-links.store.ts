// SQL of causal chains: events, the versions that they made, and what they were written for. Each statement answers for
// all asked nodes together, and passes over what the identity may not see.
import type { FieldOfEntity, EntityVersion, LinkQuestion } from '../../../platform/causal-links.ts';
import type { Identity } from '../../../platform/identity.ts';
import { listed, prepared } from '../../../platform/prepared.ts';
import { instantSql, type Queryable } from '../../../platform/queryable.ts';
import { eventVisibility } from '../provenance/visible-events.ts';
import { stateOf } from '../reading/states.ts';
import { visibleSql } from '../reading/visibility.ts';

type Bounds = Pick<LinkQuestion, 'limit' | 'skip' | 'asOf'>;
/** A position of the log; null for the present. */
type Position = string | null;
type Seer = Pick<Identity, 'projects'>;

/** Of the event `p`, with the bound in the parameter. */
const until = (parameter: string): string =>
  `(${parameter}::timestamptz IS NULL OR p.timestamp <= ${parameter}::timestamptz)`;
const AT = `${instantSql('p.timestamp')} AS at`;

/** Longest context that a node shows; the event's history has it whole. */
const MAX_CONTEXT = 4096;

export interface CausedEntity {
  readonly id: string;
  readonly entityType: string;
  readonly version: number;
  readonly at: string;
  readonly actor: string;
}

/**
 * Entities as `n`, in their states at the position in the parameter, or in those of the present.
 * @param which a condition on `b.id`: PostgreSQL does not find by one on `n` whose past state that is
 */
const entitiesAt = (at: Position, parameter: string, which: string): string =>
  at === null
    ? `LATERAL (SELECT b.* FROM metadata.entity b WHERE ${which}) n`
    : `LATERAL (SELECT e.* FROM metadata.entity b CROSS JOIN ${stateOf(`${parameter}::bigint`)} WHERE ${which} AND b.first_event <= ${parameter}::bigint) n`;

/** As they were at the position, to whoever saw them then. */
export async function listEntities(
  db: Queryable,
  ids: readonly string[],
  at: Position,
  identity: Seer,
): Promise<CausedEntity[]> {
  const values: unknown[] = at === null ? [ids] : [ids, at];
  const { rows } = await db.query<CausedEntity>(
    prepared(
      `SELECT n.id, n.entity_type AS "entityType", n.version, ${AT}, p.actor
     FROM ${entitiesAt(at, '$2', `b.id = ANY(${listed(1)})`)} JOIN metadata.provenance p ON p.position = n.first_event
     WHERE ${visibleSql(identity, 'n', values)}`,
      values,
    ),
  );
  return rows;
}

/** The visible states of the entity `k.id`, and the event that began each. */
const statesSql = (identity: Seer, values: unknown[]): string =>
  `(SELECT n.entity_type, n.version, n.state_event AS position FROM metadata.entity n WHERE n.id = k.id AND ${visibleSql(identity, 'n', values)}
    UNION ALL SELECT h.entity_type, h.version, h.from_event FROM metadata.entity_history h WHERE h.id = k.id AND ${visibleSql(identity, 'h', values)}) s`;

export interface CausedEvent {
  readonly eventId: string;
  readonly at: string;
  readonly eventType: string;
  readonly entityId: string | null;
  readonly entityType: string | null;
  readonly actor: string;
  readonly requestId: string | null;
  readonly cause: string | null;
  readonly context: unknown;
  /** The version that it made of its entity; null where it made none. */
  readonly version: number | null;
}

const EVENT = `p.id::text AS "eventId", ${AT}, p.event_type AS "eventType", p.entity_id AS "entityId", p.actor, p.request_id::text AS "requestId", p.cause,
  CASE WHEN length(p.context::text) <= ${MAX_CONTEXT} THEN p.context END AS context`;

export interface CausedVersion extends CausedEvent {
  readonly id: string;
  readonly entityType: string;
  readonly version: number;
  /** Whether the event is one of the entity's own, and visible. */
  readonly isEventSeen: boolean;
}

/** The versions with each event that began a state of theirs, oldest first. */
export async function listCausedVersions(
  db: Queryable,
  versions: readonly EntityVersion[],
  { limit, skip, asOf }: Bounds,
  identity: Seer,
): Promise<CausedVersion[]> {
  const values: unknown[] = [
    versions.map(({ id }) => id),
    versions.map(({ version }) => version),
    asOf,
    limit,
    skip,
  ];
  const { where } = eventVisibility(identity, values);
  const { rows } = await db.query<CausedVersion>(
    prepared(
      `SELECT k.id, k.version, x.* FROM unnest(${listed(1)}, (SELECT $2::int[])::int[]) k(id, version) CROSS JOIN LATERAL (
       SELECT s.entity_type AS "entityType", ${EVENT}, coalesce(p.entity_id = k.id AND ${where}, false) AS "isEventSeen"
       FROM ${statesSql(identity, values)} JOIN metadata.provenance p ON p.position = s.position
       WHERE s.version = k.version AND ${until('$3')} ORDER BY p.position LIMIT $4::int OFFSET $5::int) x`,
      values,
    ),
  );
  return rows;
}

/** The newest versions of each entity. */
export async function listNewestVersions(
  db: Queryable,
  ids: readonly string[],
  { limit, skip, asOf }: Bounds,
  identity: Seer,
): Promise<EntityVersion[]> {
  const values: unknown[] = [ids, limit, asOf, skip];
  const { rows } = await db.query<EntityVersion>(
    prepared(
      `SELECT k.id, v.version FROM unnest(${listed(1)}) k(id) CROSS JOIN LATERAL (
       SELECT DISTINCT s.version FROM ${statesSql(identity, values)}
       WHERE $3::timestamptz IS NULL OR EXISTS (SELECT FROM metadata.provenance p WHERE p.position = s.position AND ${until('$3')})
       ORDER BY s.version DESC LIMIT $2::int OFFSET $4::int) v`,
      values,
    ),
  );
  return rows;
}

export interface FieldRow extends FieldOfEntity {
  readonly entityType: string;
  readonly version: number;
  readonly value: unknown;
}

export async function listFields(
  db: Queryable,
  fields: readonly FieldOfEntity[],
  at: Position,
  identity: Seer,
): Promise<FieldRow[]> {
  const values: unknown[] = [
    fields.map(({ id }) => id),
    fields.map(({ field }) => field),
    ...(at === null ? [] : [at]),
  ];
  const { rows } = await db.query<FieldRow>(
    prepared(
      `SELECT k.id, k.field, n.entity_type AS "entityType", n.version, n.data -> k.field AS value
     FROM unnest(${listed(1)}, ${listed(2)}) k(id, field) CROSS JOIN ${entitiesAt(at, '$3', 'b.id = k.id')} WHERE ${visibleSql(identity, 'n', values)}`,
      values,
    ),
  );
  return rows;
}

/** The newest events that set each field. */
export async function listSetters(
  db: Queryable,
  fields: readonly FieldOfEntity[],
  { limit, skip, asOf }: Bounds,
  identity: Seer,
): Promise<(FieldOfEntity & { readonly at: string })[]> {
  const values: unknown[] = [fields.map(({ id }) => id), fields.map(({ field }) => field), limit, asOf, skip];
  const { where } = eventVisibility(identity, values);
  const { rows } = await db.query<FieldOfEntity & { readonly at: string }>(
    prepared(
      `SELECT k.id, k.field, ${AT} FROM unnest(${listed(1)}, ${listed(2)}) k(id, field) CROSS JOIN LATERAL (
       SELECT p.timestamp FROM metadata.provenance p
       WHERE p.entity_id = k.id AND ${until('$4')} AND ${where}
         AND CASE p.event_type WHEN 'EntityCreated' THEN p.payload -> 'initial_state' -> k.field IS NOT NULL
           WHEN 'EntityUpdated' THEN (p.payload -> 'changed_fields')::jsonb ? k.field ELSE false END
       ORDER BY p.position DESC LIMIT $3::int OFFSET $5::int) p`,
      values,
    ),
  );
  return rows;
}

/** Events by their times, which no two have in common. */
export async function listEvents(
  db: Queryable,
  times: readonly string[],
  { asOf }: Pick<Bounds, 'asOf'>,
  identity: Seer,
): Promise<CausedEvent[]> {
  const values: unknown[] = [times, asOf];
  const { where } = eventVisibility(identity, values);
  const { rows } = await db.query<CausedEvent>(
    prepared(
      `SELECT ${EVENT}, p.entity_type AS "entityType", s.version
     FROM metadata.provenance p LEFT JOIN LATERAL (
       SELECT n.version FROM metadata.entity n WHERE n.id = p.entity_id AND n.state_event = p.position
       UNION ALL SELECT h.version FROM (SELECT * FROM metadata.entity_history a WHERE a.id = p.entity_id AND a.to_event > p.position ORDER BY a.to_event LIMIT 1) h
         WHERE h.from_event = p.position) s ON true
     WHERE p.timestamp = ANY((SELECT $1::timestamptz[])::timestamptz[]) AND ${until('$2')} AND ${where}`,
      values,
    ),
  );
  return rows;
}

export interface WrittenEvent {
  readonly key: string;
  readonly at: string;
}

/** The first events that each request wrote for itself. */
export async function listWrittenBy(
  db: Queryable,
  requests: readonly string[],
  { limit, skip, asOf }: Bounds,
  identity: Seer,
): Promise<WrittenEvent[]> {
  const values: unknown[] = [requests, limit, asOf, skip];
  const { where } = eventVisibility(identity, values);
  const { rows } = await db.query<WrittenEvent>(
    prepared(
      `SELECT 'request:' || k.id AS key, ${AT} FROM unnest((SELECT $1::uuid[])::uuid[]) k(id) CROSS JOIN LATERAL (
       SELECT p.timestamp FROM metadata.provenance p WHERE p.request_id = k.id AND p.cause IS NULL AND ${until('$3')} AND ${where}
       ORDER BY p.position LIMIT $2::int OFFSET $4::int) p`,
      values,
    ),
  );
  return rows;
}

/** The first events that were written on behalf of each run and production. */
export async function listWrittenFor(
  db: Queryable,
  causes: readonly string[],
  { limit, skip, asOf }: Bounds,
  identity: Seer,
): Promise<WrittenEvent[]> {
  const values: unknown[] = [causes, limit, asOf, skip];
  const { where } = eventVisibility(identity, values);
  const { rows } = await db.query<WrittenEvent>(
    prepared(
      `SELECT k.key, ${AT} FROM unnest(${listed(1)}) k(key) CROSS JOIN LATERAL (
       SELECT p.timestamp FROM metadata.provenance p WHERE p.cause = k.key AND ${until('$3')} AND ${where}
       ORDER BY p.position LIMIT $2::int OFFSET $4::int) p`,
      values,
    ),
  );
  return rows;
}
