// Distinguishes an unreachable database from one that responded with an error: in the first case the caller
// may retry.

/**
 * The server cannot be reached, is closing, starting or full, or does not write because it is a standby or has no
 * room: SQLSTATE classes 08, 53100, 53300, 57P01 to 57P05 and 25006, and error codes of sockets.
 */
const CODES =
  /^(?:08...|53[13]00|57P0[1-5]|25006|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;
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

const UNANSWERED = 'the store does not answer';

/** Where it answers, but does not write. */
const REFUSALS: Readonly<Record<string, string>> = {
  '25006': 'the database takes no writes at the moment: it is a standby, or its disk is full; reads go on',
  '53100': "the database's disk is full: nothing was written; reads go on",
};

/**
 * Why PostgreSQL did not serve a statement, where it was unreachable, lost the connection or takes no writes; undefined
 * for any other error. Unless it refused, the statement may have been executed, or not.
 */
export function storeProblem(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  const ofDriver = driverCode(thrown);
  const driver = typeof ofDriver === 'string' ? ofDriver : '';
  const isAway =
    CODES.test(code) || BY_PRISMA.test(code) || CODES.test(driver) || MESSAGES.test(thrown.message);
  return isAway ? (REFUSALS[code] ?? REFUSALS[driver] ?? UNANSWERED) : undefined;
}

/** Whether it is unknown if the statement was executed: there was no answer, and no refusal either. */
export const isUnanswered = (thrown: unknown): boolean => storeProblem(thrown) === UNANSWERED;

/** Whether a statement was refused because the server takes no writes, as a standby. */
export const isReadOnly = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  (('code' in thrown && thrown.code === '25006') || driverCode(thrown) === '25006');

export const isStoreAway = (thrown: unknown): boolean => storeProblem(thrown) !== undefined;
