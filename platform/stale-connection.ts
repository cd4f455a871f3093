import { systemErrorCode } from './system-error-code.ts';

/** Errors of idle connections that the other side has closed; they only show when used again. */
export const isStale = (fault: unknown): boolean =>
  ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(systemErrorCode(fault) ?? '');
