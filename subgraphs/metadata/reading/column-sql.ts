// Where the columns of an entity lie in a statement over `metadata.entity e`.
import { type EntityColumn, STORED_COLUMNS, type StoredColumn } from '../../../platform/entity-columns.ts';

/** SQL of the times of an entity's first and last event: timestamptz, never NULL. */
export type TimeColumns = Readonly<Record<'first' | 'last', string>>;

/** Of the joins of `EVENTS` (page-sql.ts), or of `eventsAt` (../reading/states.ts). */
export const JOINED_TIMES: TimeColumns = { first: 'c.timestamp', last: 'u.timestamp' };

const timeOf = (event: string): string =>
  `(SELECT p.timestamp FROM metadata.provenance p WHERE p.position = e.${event})`;

/** Looked up one by one: a plan that is used once is made in half the time without the joins. */
export const LOOKED_UP_TIMES: TimeColumns = { first: timeOf('first_event'), last: timeOf('last_event') };

export const columnSql = ({ name, timeOf }: EntityColumn, times: TimeColumns): string =>
  timeOf === undefined ? `e.${name}` : times[timeOf];

export const namesOf = (stored: readonly StoredColumn[], prefix = ''): string =>
  stored.map(({ name }) => prefix + name).join(', ');

/** A state as its table keeps it: the entity's columns, and the event that the entity begins with. */
export const stateColumns = (alias: string): string =>
  `${namesOf(STORED_COLUMNS, `${alias}.`)}, ${alias}.first_event`;
