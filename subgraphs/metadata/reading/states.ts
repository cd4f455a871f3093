// SQL over the states of entities at a position of the log, in the columns of `metadata.entity`, under the
// alias `e`. A present state dates from the event that created it; a past state in entity_history is valid
// from one such event to another. Events that change nothing of an entity (a relationship, an external id)
// end no state; the log tells which event was an entity's last at the position.
import type { Identity } from '../../../platform/identity.ts';
import { stateColumns } from './column-sql.ts';
import { visibleSql } from './visibility.ts';

/** Whether the present state in the row `e` of metadata.entity stood at the position already. */
export const stood = (position: string): string => `e.state_event <= ${position}`;

const lastSql = (alias: string, position: string, columns: string): string =>
  `SELECT ${columns} FROM metadata.provenance p WHERE p.entity_id = ${alias}.id AND p.position <= ${position} ORDER BY p.position DESC LIMIT 1`;

/**
 * The events with the timestamps at the position: the first event of `e` as `c`, its last one then as `u`.
 */
export const eventsAt = (position: string): string =>
  `JOIN metadata.provenance c ON c.position = e.first_event JOIN LATERAL (${lastSql('e', position, 'p.position, p.timestamp')}) u ON true`;

const endedAt = (position: string): string => `h.from_event <= ${position} AND h.to_event > ${position}`;

/** States that were valid at the position and have ended since: `e`. */
export const endedStates = (position: string): string =>
  `(SELECT ${stateColumns('h')} FROM metadata.entity_history h WHERE ${endedAt(position)}) e`;

/**
 * All states at the position as relations `e` that also have `last_event`, separated by where they are found:
 * states of entities without any event since, states that are still valid, and states that have ended.
 */
export const statesByChange = (
  position: string,
): readonly { readonly from: string; readonly where: string }[] => [
  { from: 'metadata.entity e', where: `e.last_event <= ${position}` },
  {
    from: `(SELECT ${stateColumns('n')}, (${lastSql('n', position, 'p.position')}) AS last_event FROM metadata.entity n WHERE n.state_event <= ${position} AND n.last_event > ${position}) e`,
    where: 'true',
  },
  {
    from: `(SELECT ${stateColumns('h')}, (${lastSql('h', position, 'p.position')}) AS last_event FROM metadata.entity_history h WHERE ${endedAt(position)}) e`,
    where: 'true',
  },
];

/**
 * The state at the position of the entity in the row `b` of metadata.entity, which must have existed
 * (`b.first_event <=` the position): for a lateral join, `e`. It preserves the order of `b` and costs one
 * look-up for entities that have changed since.
 */
export const stateOf = (position: string): string =>
  `LATERAL (SELECT ${stateColumns('b')} WHERE b.state_event <= ${position}
    UNION ALL (SELECT ${stateColumns('h')} FROM metadata.entity_history h WHERE b.state_event > ${position} AND h.id = b.id AND h.to_event > ${position} ORDER BY h.to_event LIMIT 1)) e`;

/**
 * Whether a row of metadata.relationship or metadata.external_id existed at the position, or now for null.
 */
export function liveAt(
  alias: string,
  position: string | null,
  ended: 'removed_event' | 'superseded_event' = 'removed_event',
): string {
  if (position === null) return `${alias}.${ended} IS NULL`;
  return `${alias}.created_event <= ${position} AND (${alias}.${ended} IS NULL OR ${alias}.${ended} > ${position})`;
}

/**
 * Whether the entity in the row `alias` of metadata.entity is visible: now, or if a position is given, in its
 * state at that position. Appends its parameters.
 */
export function visibleAtSql(
  identity: Pick<Identity, 'projects'>,
  alias: string,
  position: string | null,
  params: unknown[],
): string {
  const now = visibleSql(identity, alias, params);
  if (position === null || identity.projects === '*') return now;
  return `((${alias}.state_event <= ${position} AND ${now}) OR EXISTS (SELECT 1 FROM metadata.entity_history h
    WHERE h.id = ${alias}.id AND h.from_event <= ${position} AND h.to_event > ${position} AND ${visibleSql(identity, 'h', params)}))`;
}
