// Distinguishes an unreachable database from one that responded with an error: in the first case the caller
// may retry.

/**
 * The server cannot be reached, is closing, starting or full, or does not write because it is a standby: SQLSTATE
 * classes 08, 53300, 57P01 to 57P05 and 25006, and error codes of sockets.
 */
const CODES =
  /^(?:08...|53300|57P0[1-5]|25006|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
/** Errors that `pg` throws without a code. */
const MESSAGES =
  /^(?:Connection terminated\b.*|timeout exceeded when trying to connect|Client has encountered a connection error and is not queryable|Client was closed and is not queryable)$/;

/** Codes of Prisma Client that say the same of its own accord; else it keeps the driver's. */
const BY_PRISMA = /^P10(?:01|02|08|17)$/;

/** The driver's code that an error of Prisma Client was made from. */
function driverCode(thrown: Error): unknown {
  const { meta } = thrown as { meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } };
  return meta?.driverAdapterError?.cause?.originalCode;
}

/**
 * Whether PostgreSQL was unreachable or the connection was lost. The statement may have been executed, or
 * not.
 */
export function isStoreAway(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  const ofDriver = driverCode(thrown);
  return (
    CODES.test(code) ||
    BY_PRISMA.test(code) ||
    (typeof ofDriver === 'string' && CODES.test(ofDriver)) ||
    MESSAGES.test(thrown.message)
  );
}
