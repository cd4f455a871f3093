// Where the times of an entity lie in a statement over `metadata.entity e`.

/** SQL of when an entity was created and last changed: timestamptz, never NULL. */
export interface TimeColumns {
  readonly created: string;
  readonly updated: string;
}

/** Of the joins of `EVENTS` (page-sql.ts), or of `eventsAt` (../as-of/states.ts). */
export const JOINED_TIMES: TimeColumns = { created: 'c.timestamp', updated: 'u.timestamp' };

const timeOf = (event: string): string =>
  `(SELECT p.timestamp FROM metadata.provenance p WHERE p.position = e.${event})`;

/** Looked up one by one: a plan that is used once is made in half the time without the joins. */
export const LOOKED_UP_TIMES: TimeColumns = { created: timeOf('first_event'), updated: timeOf('last_event') };
