// SQL that reads relationships, without removed ones and those with an invisible end.
import { listed, prepared } from '../../../platform/prepared.ts';
import type { Identity } from '../../../platform/identity.ts';
import { liveAt, visibleAtSql } from '../reading/states.ts';
import type { Moment } from '../reading/timeline.ts';
import { instantSql, type Queryable } from '../../../platform/queryable.ts';
import type { Direction } from './relationship.ts';

export interface RelationshipRow {
  readonly source_id: string;
  readonly target_id: string;
  readonly relationship_type: string;
  readonly metadata: unknown;
  readonly created_by: string;
  readonly created_at: string;
  /** Position of its event, which gives the order of creation. */
  readonly created_event: string;
}
/** A relationship as seen from one of the requested entities. */
export interface AskedRow extends RelationshipRow {
  readonly asked_id: string;
}
/** A relationship and its target entity. */
export interface StepRow extends RelationshipRow {
  readonly from_id: string;
  readonly neighbour: string;
}

const COLUMNS = 'r.source_id, r.target_id, r.relationship_type, r.metadata, r.created_by, r.created_event';
const ANSWER = `${COLUMNS}, ${instantSql('p.timestamp')} AS created_at`;
const EVENT = 'JOIN metadata.provenance p ON p.position = r.created_event';

/** The index of the moment's position among the values; null for the present. */
const momentIn = (values: unknown[], at: Moment): string | null =>
  at === null ? null : `$${values.push(at)}::bigint`;

/**
 * Relationships of the entity `k.id`, each with its other end as `neighbour`; `$type` is the index of the
 * type or null.
 */
function sidesSql(direction: Direction, type: string, moment: string | null): string {
  const side = (own: string, other: string, also: string): string =>
    `SELECT ${COLUMNS}, r.${other} AS neighbour FROM metadata.relationship r WHERE r.${own} = k.id AND ${liveAt('r', moment)} AND (${type}::text IS NULL OR r.relationship_type = ${type}::text)${also}`;
  const [out, into] = [side('source_id', 'target_id', ''), side('target_id', 'source_id', '')];
  switch (direction) {
    case 'OUT':
      return out;
    case 'IN':
      return into;
    case 'BOTH':
      // a relationship to itself appears once
      return `${out} UNION ALL ${side('target_id', 'source_id', ' AND r.source_id <> r.target_id')}`;
    default:
      return direction satisfies never;
  }
}

export interface OfEntities {
  readonly direction: Direction;
  readonly relationshipType: string | null;
  readonly limit: number;
  readonly offset: number;
  readonly after: string;
  readonly at: Moment;
}

/**
 * Relationships of each of the entities, whose visibility has been checked, in order of creation after a
 * position; bounds apply to each entity.
 */
export async function relationshipsOf(
  db: Queryable,
  ids: readonly string[],
  { direction, relationshipType, limit, offset, after, at }: OfEntities,
  identity: Identity,
): Promise<AskedRow[]> {
  const values: unknown[] = [ids, relationshipType, limit, offset, after];
  const moment = momentIn(values, at);
  const { rows } = await db.query<AskedRow>(
    prepared(
      `SELECT k.id AS asked_id, ${ANSWER}
     FROM unnest(${listed(1)}) WITH ORDINALITY k(id, n)
     CROSS JOIN LATERAL (
       SELECT r.* FROM (${sidesSql(direction, '$2', moment)}) r JOIN metadata.entity e ON e.id = r.neighbour AND ${visibleAtSql(identity, 'e', moment, values)}
       WHERE r.created_event > $5::bigint ORDER BY r.created_event LIMIT $3::bigint OFFSET $4::bigint
     ) r ${EVENT}
     ORDER BY k.n, r.created_event`,
      values,
    ),
  );
  return rows;
}

export interface Sought {
  readonly entityId: string | null;
  readonly sourceId: string | null;
  readonly targetId: string | null;
  readonly relationshipType: string | null;
  readonly after: string;
  readonly limit: number;
  readonly at: Moment;
}

/** Relationships by either end, source, target and type, in order of creation, after a position. */
export async function findRelationships(
  db: Queryable,
  { entityId, sourceId, targetId, relationshipType, after, limit, at }: Sought,
  identity: Identity,
): Promise<RelationshipRow[]> {
  const values: unknown[] = [after, limit];
  const moment = momentIn(values, at);
  const conditions = [liveAt('r', moment), 'r.created_event > $1::bigint'];
  const equal = (column: string, value: string | null): void => {
    if (value !== null) {
      values.push(value);
      conditions.push(`r.${column} = $${values.length}::text`);
    }
  };
  if (entityId !== null) {
    values.push(entityId);
    conditions.push(`(r.source_id = $${values.length}::text OR r.target_id = $${values.length}::text)`);
  }
  equal('source_id', sourceId);
  equal('target_id', targetId);
  equal('relationship_type', relationshipType);
  const { rows } = await db.query<RelationshipRow>(
    `SELECT ${ANSWER} FROM metadata.relationship r ${EVENT}
     JOIN metadata.entity s ON s.id = r.source_id AND ${visibleAtSql(identity, 's', moment, values)}
     JOIN metadata.entity t ON t.id = r.target_id AND ${visibleAtSql(identity, 't', moment, values)}
     WHERE ${conditions.join(' AND ')} ORDER BY r.created_event LIMIT $2::bigint`,
    values,
  );
  return rows;
}

export interface TraversalStep {
  readonly from: readonly string[];
  readonly known: readonly string[];
  readonly direction: Direction;
  readonly relationshipType: string | null;
  readonly limit: number;
  readonly at: Moment;
}

/** One level of a traversal: every unvisited neighbour of `from`, once, with its first relationship. */
export async function step(
  db: Queryable,
  { from, known, direction, relationshipType, limit, at }: TraversalStep,
  identity: Identity,
): Promise<StepRow[]> {
  const values: unknown[] = [from, relationshipType, known, limit];
  const moment = momentIn(values, at);
  const { rows } = await db.query<StepRow>(
    `SELECT ${ANSWER}, r.from_id, r.neighbour FROM (
       SELECT DISTINCT ON (r.neighbour) r.*, k.id AS from_id, k.n
       FROM unnest(${listed(1)}) WITH ORDINALITY k(id, n)
       CROSS JOIN LATERAL (${sidesSql(direction, '$2', moment)}) r
       JOIN metadata.entity e ON e.id = r.neighbour AND ${visibleAtSql(identity, 'e', moment, values)}
       WHERE r.neighbour <> ALL($3::text[])
       ORDER BY r.neighbour, k.n, r.created_event
     ) r ${EVENT}
     ORDER BY r.n, r.created_event LIMIT $4::bigint`,
    values,
  );
  return rows;
}
