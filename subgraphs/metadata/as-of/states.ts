// SQL over the states that entities had at a position of the log, in the columns of `metadata.entity`, under the alias `e`.
// A present state is as old as its last event; one that ended is in entity_history, from an event up to another.
import type { Identity } from '../../../platform/identity.ts';
import { visibleSql } from '../entities/visibility.ts';

const OF = (alias: string): string => ['id', 'entity_type', 'data', 'version', 'is_available', 'project', 'first_event'].map((column) => `${alias}.${column}`).join(', ');

/** Present states that stood at the position already: `e`, to be used with {@link STOOD}. */
export const presentStates = 'metadata.entity e';
export const stood = (position: string): string => `e.last_event <= ${position}`;

/** States that stood at the position and have ended since: `e`. */
export const endedStates = (position: string): string =>
  `(SELECT ${OF('h')}, h.from_event AS last_event FROM metadata.entity_history h WHERE h.from_event <= ${position} AND h.to_event > ${position}) e`;

/**
 * The state at the position of the entity in the row `b` of metadata.entity, which must have existed (`b.first_event <=`
 * the position): for a lateral join, `e`. It keeps the order of `b` and costs one look-up for what has changed since.
 */
export const stateOf = (position: string): string =>
  `LATERAL (SELECT ${OF('b')}, b.last_event WHERE b.last_event <= ${position}
    UNION ALL (SELECT ${OF('h')}, h.from_event FROM metadata.entity_history h WHERE b.last_event > ${position} AND h.id = b.id AND h.to_event > ${position} ORDER BY h.to_event LIMIT 1)) e`;

/** Whether a row of metadata.relationship or metadata.external_id was there: at the position, or now for null. */
export function liveAt(alias: string, position: string | null, ended: 'removed_event' | 'superseded_event' = 'removed_event'): string {
  if (position === null) return `${alias}.${ended} IS NULL`;
  return `${alias}.created_event <= ${position} AND (${alias}.${ended} IS NULL OR ${alias}.${ended} > ${position})`;
}

/**
 * Whether the entity in the row `alias` of metadata.entity may be seen: now, and where a position is given, also in the
 * state it had there. Appends its parameters.
 */
export function visibleAtSql(identity: Pick<Identity, 'projects'>, alias: string, position: string | null, params: unknown[]): string {
  const now = visibleSql(identity, alias, params);
  if (position === null || identity.projects === '*') return now;
  return `${now} AND (${alias}.last_event <= ${position} OR EXISTS (SELECT 1 FROM metadata.entity_history h
    WHERE h.id = ${alias}.id AND h.from_event <= ${position} AND h.to_event > ${position} AND ${visibleSql(identity, 'h', params)}))`;
}
