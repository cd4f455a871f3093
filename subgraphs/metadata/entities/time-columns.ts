// The expressions of an entity's timestamps in a statement over `metadata.entity e`.

/** SQL of the times of creation and of the last change: timestamptz, never NULL. */
export interface TimeColumns {
  readonly created: string;
  readonly updated: string;
}

/** For the joins of `EVENTS` (page-sql.ts), or of `eventsAt` (../as-of/states.ts). */
export const JOINED_TIMES: TimeColumns = { created: 'c.timestamp', updated: 'u.timestamp' };

const timeOf = (event: string): string =>
  `(SELECT p.timestamp FROM metadata.provenance p WHERE p.position = e.${event})`;

/** Looked up individually: a plan that is used once is made in half the time without the joins. */
export const LOOKED_UP_TIMES: TimeColumns = { created: timeOf('first_event'), updated: timeOf('last_event') };
