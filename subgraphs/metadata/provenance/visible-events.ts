// SQL of the events that an actor sees: those of the time when the entity was in a project of theirs, or
// shared, except those that name an entity which they did not see then
// (docs/reference/metadata.md#projects-over-time). A move is visible in both projects, each without the
// other's state.
import type { Identity } from '../../../platform/identity.ts';
import { visibleSql } from '../reading/visibility.ts';
import type { Payload } from '../log/event-payload.ts';

/**
 * The second entity of the event in the row `p`; null if there is none. A relationship's id is
 * `<source>-><target>:<type>`.
 */
const OTHER = `CASE p.event_type
  WHEN 'RelationshipCreated' THEN p.payload ->> 'to_id'
  WHEN 'RelationshipRemoved' THEN substr(p.payload ->> 'relationship_id', length(p.entity_id) + 3, length(p.payload ->> 'relationship_id') - length(p.entity_id) - length(p.payload ->> 'relationship') - 3)
  WHEN 'EntitySuperseded' THEN p.payload ->> 'superseded_by_id'
  WHEN 'EntityUpdated' THEN p.payload ->> 'supersedes' END`;

/**
 * The states of an entity before and after the event in the row `p` (one if it changed nothing) as `s`:
 * whether it is visible, and whether the event ended it.
 */
const statesBesideSql = (id: string, identity: Pick<Identity, 'projects'>, params: unknown[]): string => {
  const [now, then] = [visibleSql(identity, 'n', params), visibleSql(identity, 'h', params)];
  return `(SELECT ${now} AS seen, false AS ended FROM metadata.entity n WHERE n.id = ${id} AND n.state_event <= p.position
    UNION ALL SELECT ${then}, h.to_event = p.position FROM (SELECT * FROM metadata.entity_history a WHERE a.id = ${id} AND a.to_event >= p.position ORDER BY a.to_event LIMIT 2) h WHERE h.from_event <= p.position) s`;
};

export interface EventVisibility {
  /** A condition over `p`, a row of metadata.provenance; instance-level events are visible to everybody. */
  readonly where: string;
  /** For a visible event: the state that is invisible, `before` or `after`; null for none. */
  readonly hidden: string;
}

/** Appends its parameters. For callers in all projects it is constant. */
export function eventVisibility(identity: Pick<Identity, 'projects'>, params: unknown[]): EventVisibility {
  if (identity.projects === '*') return { where: 'true', hidden: 'NULL::text' };
  const own = statesBesideSql('p.entity_id', identity, params);
  const other = `(CASE WHEN p.event_type IN ('RelationshipCreated', 'RelationshipRemoved', 'EntitySuperseded', 'EntityUpdated') THEN
    EXISTS (SELECT 1 FROM (SELECT ${OTHER} AS id) o CROSS JOIN LATERAL ${statesBesideSql('o.id', identity, params)} HAVING bool_or(s.seen) IS FALSE) ELSE false END)`;
  return {
    where: `(p.entity_id IS NULL OR (EXISTS (SELECT 1 FROM ${own} WHERE s.seen) AND NOT ${other}))`,
    hidden: `CASE WHEN p.event_type = 'EntityUpdated' THEN (SELECT CASE WHEN bool_or(s.ended AND NOT s.seen) THEN 'before' WHEN bool_or(NOT s.ended AND NOT s.seen) THEN 'after' END FROM ${own}) END`,
  };
}

/**
 * Whether the identity has ever seen the entity in parameter `$1`, up to the position in `$2`; null for now.
 */
export const everSeenSql = (identity: Pick<Identity, 'projects'>, params: unknown[]): string =>
  `SELECT EXISTS (SELECT 1 FROM metadata.entity n WHERE n.id = $1::text AND ($2::bigint IS NULL OR n.state_event <= $2::bigint) AND ${visibleSql(identity, 'n', params)})
    OR EXISTS (SELECT 1 FROM metadata.entity_history h WHERE h.id = $1::text AND ($2::bigint IS NULL OR h.from_event <= $2::bigint) AND ${visibleSql(identity, 'h', params)}) AS seen`;

export type HiddenSide = 'before' | 'after' | null;

/** The payload of a move as one side sees it. */
export function payloadSeen(payload: Payload, hidden: HiddenSide): Payload {
  if (hidden === null) return payload;
  return { ...payload, ...(hidden === 'before' ? { previous_state: null } : { new_state: null }) };
}
