// Tells a database that is away from one that answered with an error: what was asked may be asked again later.

/** The server cannot be reached, or is closing, starting or full: SQLSTATE classes 08, 53300 and 57P01 to 57P05, and what sockets say. */
const CODES = /^(?:08...|53300|57P0[1-5]|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
/** `pg` gives these no code. */
const MESSAGES =
  /^(?:Connection terminated\b.*|timeout exceeded when trying to connect|Client has encountered a connection error and is not queryable|Client was closed and is not queryable)$/;

/** Whether PostgreSQL was away, or went while it was asked: then what was asked may have been done, or not. */
export function isStoreAway(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return (
    ('code' in thrown && typeof thrown.code === 'string' && CODES.test(thrown.code)) ||
    MESSAGES.test(thrown.message)
  );
}
